#pragma once

#include <algorithm>
#include <chrono>
#include <span>

#include "penstock/base/error.hpp"
#include "penstock/nodes/random.hpp"

namespace penstock::nodes {

/// When to ask again: how often, after which errors, with pauses that grow twofold, each less a
/// random part of up to half of it, so that callers who failed together do not come back together.
class Backoff {
 public:
  /// `attempts`: calls at most, the first one included.
  Backoff(int attempts, std::chrono::milliseconds pause, std::chrono::milliseconds longest) noexcept
      : left_(attempts - 1), pause_(pause), longest_(longest) {}

  /// Takes another attempt: whether there is one, and the error is one of those that may pass.
  [[nodiscard]] bool again(ErrorCode code, std::span<const ErrorCode> passing) noexcept {
    return left_-- > 0 && std::find(passing.begin(), passing.end(), code) != passing.end();
  }

  /// How long to wait before it.
  [[nodiscard]] std::chrono::nanoseconds pause() {
    const std::chrono::nanoseconds whole = std::min(pause_, longest_);
    pause_ = whole * 2;
    return std::chrono::nanoseconds(uniform(whole.count() / 2, whole.count()));
  }

 private:
  int left_;
  std::chrono::nanoseconds pause_;
  const std::chrono::nanoseconds longest_;
};

}  // namespace penstock::nodes
