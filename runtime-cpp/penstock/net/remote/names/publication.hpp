#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/error.hpp"
#include "penstock/call/coroutine/completion.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/json/error.hpp"
#include "penstock/net/remote/calls/remote_type.hpp"

namespace penstock::net {

class Board;

/// A service that the binary's own code offers while it runs. Ends with whoever holds it last:
/// whoever published it, and each call that is under way. The handler is what derives from it.
class Publication : public std::enable_shared_from_this<Publication> {
 public:
  Publication() = default;
  Publication(const Publication&) = delete;
  Publication& operator=(const Publication&) = delete;
  /// After its handler is gone.
  virtual ~Publication() {
    if (told) (*told)();
  }

  /// Asks the handler, as call::Implementation::Type::serve does; several threads at once.
  virtual void serve(call::Frame& frame) = 0;

  // Set before it is published.
  std::string name;  ///< `Bundle/Service`
  std::uint64_t request_schema = 0;
  std::uint64_t answer_schema = 0;
  const RemoteType* type = nullptr;
  /// The binaries that may call it; none: all of the project.
  std::optional<std::vector<std::string>> callers;
  /// How it is asked in JSON; null: its messages were generated without.
  call::Frame* (*make)(std::string_view text, JsonError& error) = nullptr;
  void (*append)(const call::Frame& frame, std::string& out) = nullptr;

  // The board's.
  std::weak_ptr<Board> board;
  call::CallSite* site = nullptr;          ///< that calls from outside are counted at
  std::atomic<bool> is_withdrawn = false;  ///< it takes no new calls
  /// Told at its end.
  std::optional<Completion<void>::Callback> told;
};

}  // namespace penstock::net
