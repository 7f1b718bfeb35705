#pragma once

#include <string>
#include <vector>

#include "penstock/net/remote/discovery/directory.hpp"

namespace penstock::net {

/// Where the processes of a binary are that is drawn to listen at no certain address. Any thread.
class Finder {
 public:
  Finder() = default;
  Finder(const Finder&) = delete;
  Finder& operator=(const Finder&) = delete;
  virtual ~Finder() = default;

  /// Those that are known now. Does not wait for others. Throws std::bad_alloc.
  [[nodiscard]] virtual std::vector<Directory::Instance> instances() = 0;
  /// Somebody takes care of what they are: whoever is left out is not to be called any more.
  /// Otherwise it may just not be found at the moment, and its links stay.
  [[nodiscard]] virtual bool lists_all() const noexcept { return false; }
  /// Why there are none. Throws std::bad_alloc.
  [[nodiscard]] virtual std::string why_none() const = 0;
  /// How they are spoken to, all of them.
  [[nodiscard]] virtual Transport transport() const noexcept = 0;
};

}  // namespace penstock::net
