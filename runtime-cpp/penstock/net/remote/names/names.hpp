#pragma once

#include <memory>

#include "penstock/net/remote/names/board.hpp"
#include "penstock/net/remote/names/resolved.hpp"

namespace penstock::net {

/// What the binary's own code publishes and resolves through, from penstock/net.hpp.
struct Names {
  std::shared_ptr<Board> board;  ///< outlived by what is published at it
  Resolved resolved;

  /// Those of this process; null: its binary does not run, or has not asked for them. Any thread.
  [[nodiscard]] static Names* of_this_process() noexcept;
  /// Set before the first thread starts, and null after the last one has ended.
  static void set(Names* names) noexcept;
  /// The program has code that includes penstock/net.hpp.
  [[nodiscard]] static bool are_wanted() noexcept;
};

}  // namespace penstock::net
