#pragma once

#include <cstdint>

#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "support/callers.hpp"

/// Calls of ours as a generated service makes them, for the programs that measure them.
namespace compare {

struct Keep {
  template <class T>
  static void take(const T& answer) noexcept {
    keep(answer);
  }
};

/// `C`, a caller on the first CPU, asks the callees on the second one, or on its own thread.
template <class C, class... Callees>
class Ours {
 public:
  explicit Ours(penstock::exec::Idle idle, bool same_thread = false) {
    auto front_settings = penstock::testing::pool_settings("front", 1);
    auto back_settings = penstock::testing::pool_settings("back", 1);
    front_settings.idle = back_settings.idle = idle;
    front_settings.threads = {{cpu(0)}};
    back_settings.threads = {{cpu(1)}};
    auto& front = binary_.pool(front_settings);
    auto& callee_pool = same_thread ? front : binary_.pool(back_settings);
    ask_ = penstock::testing::connect<C, Callees...>(binary_, front, callee_pool);
    binary_.start();
  }

  void ask(std::uint64_t count) {
    static_cast<void>(ask_({static_cast<std::int64_t>(count)}).get());
  }
  [[nodiscard]] double rate() {
    return rate_of([this](std::uint64_t count) { ask(count); });
  }

 private:
  penstock::testing::SmallBinary binary_;
  penstock::Stub<penstock::testing::Number, penstock::testing::Number> ask_;
};

template <class C, class... Callees>
[[nodiscard]] double calls(penstock::exec::Idle idle, bool same_thread = false) {
  return Ours<C, Callees...>(idle, same_thread).rate();
}

}  // namespace compare
