#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "penstock/base/time.hpp"

namespace penstock::nodes {

/// The key where there is one window for all.
struct AllEvents {
  friend bool operator==(AllEvents, AllEvents) = default;
};

}  // namespace penstock::nodes

template <>
struct std::hash<penstock::nodes::AllEvents> {
  std::size_t operator()(penstock::nodes::AllEvents /*all*/) const noexcept { return 0; }
};

namespace penstock::nodes {

/// What became of an event that was added to a window.
template <class Result>
struct Added {
  /// The window that it closed: the event is to go on with it.
  std::optional<Result> closed;
  /// Not 0: it opened this window and is to come back with it after `length`.
  std::uint64_t opened = 0;
};

/// Tumbling windows: events are summed up by key until the window's time is over or it has enough
/// of them. The event that opens a window carries its result when it closes by time; the one that
/// fills it, at once; all others end. Any number of threads, one lock that is held while one event
/// is added.
template <class Key, class Result>
class Windows {
 public:
  /// `most`: events of a window; 0: any number.
  explicit Windows(std::chrono::nanoseconds length, std::uint64_t most = 0) noexcept
      : length_(length), most_(most) {}

  [[nodiscard]] std::chrono::nanoseconds length() const noexcept { return length_; }

  /// Adds an event by `add(result, count)`, which throws nothing: `count` is 1 for the first one of
  /// a window. Throws std::bad_alloc and what copying the key throws.
  template <class Add>
  [[nodiscard]] Added<Result> add(const Key& key, Add add, Nanos now = now_ns()) {
    const std::lock_guard hold(mutex_);
    Window& window = open_[key];
    if (window.number == 0) {
      window.number = ++last_number_;
      window.until = after(now, to_ns(length_));
    } else if (now >= window.until + kGrace) {
      // Whoever was to come back for it did not.
      window.number = ++last_number_;
      window.until = after(now, to_ns(length_));
      window.orphaned = true;
    }
    add(window.result, ++window.count);
    if (most_ != 0 && window.count >= most_) return {take(key), 0};
    if (window.count == 1 || std::exchange(window.orphaned, false)) return {{}, window.number};
    return {};
  }

  /// Takes the window for the event that opened it; none when it has closed already.
  [[nodiscard]] std::optional<Result> close(const Key& key, std::uint64_t opened) {
    const std::lock_guard hold(mutex_);
    const auto found = open_.find(key);
    if (found == open_.end() || found->second.number != opened) return {};
    return take(key);
  }

 private:
  /// How late a window may be closed before the next event takes it over.
  static constexpr Nanos kGrace = 1'000'000'000;

  struct Window {
    std::uint64_t number = 0;
    std::uint64_t count = 0;
    Nanos until = 0;
    bool orphaned = false;
    Result result{};
  };

  [[nodiscard]] std::optional<Result> take(const Key& key) {
    auto window = open_.extract(key);
    return std::move(window.mapped().result);
  }

  const std::chrono::nanoseconds length_;
  const std::uint64_t most_;
  std::mutex mutex_;
  std::unordered_map<Key, Window> open_;
  std::uint64_t last_number_ = 0;
};

}  // namespace penstock::nodes
