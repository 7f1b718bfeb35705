#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "penstock/edge/exposed_call.hpp"

namespace penstock::edge {

/// Requests on their way from the server's thread to workers: some of those that came together go
/// together, so that a worker that sleeps is woken once for them. On the server's thread.
class Departures {
 public:
  /// `soon` has leave() called once what has come already is read.
  explicit Departures(std::function<void()> soon) : soon_(std::move(soon)) {}

  /// Throws std::bad_alloc.
  void add(std::unique_ptr<ExposedCall> call);
  void leave();

 private:
  struct Party {
    std::unique_ptr<ExposedCall> calls;
    std::size_t count = 0;
  };

  const std::function<void()> soon_;
  bool leaves_ = false;           // soon
  std::vector<Party> gathering_;  // one for a worker
};

}  // namespace penstock::edge
