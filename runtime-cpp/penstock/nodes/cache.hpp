#pragma once

#include <chrono>
#include <cstddef>
#include <iterator>
#include <list>
#include <unordered_map>
#include <utility>

#include "penstock/base/time.hpp"

namespace penstock::nodes {

/// Values by key, each good for a time; the one not used for longest makes room. One thread at a
/// time: each handler object has its own.
template <class Key, class Value>
class Cache {
 public:
  /// `capacity` 1 or more.
  Cache(std::size_t capacity, std::chrono::nanoseconds lifetime) noexcept
      : capacity_(capacity), lifetime_(to_ns(lifetime)) {}

  /// The value, until the next change of the cache; null when there is none that is still good.
  /// O(1).
  [[nodiscard]] const Value* find(const Key& key, Nanos now = now_ns()) {
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    const auto entry = found->second;
    if (now >= entry->good_until) {
      places_.erase(found);
      entries_.erase(entry);
      return nullptr;
    }
    entries_.splice(entries_.begin(), entries_, entry);
    return &entry->value;
  }

  /// Keeps a value from now on. O(1). Throws std::bad_alloc and what copying throws.
  void keep(const Key& key, Value value, Nanos now = now_ns()) {
    const Nanos good_until = after(now, lifetime_);
    if (const auto found = places_.find(key); found != places_.end()) {
      found->second->value = std::move(value);
      found->second->good_until = good_until;
      entries_.splice(entries_.begin(), entries_, found->second);
      return;
    }
    if (places_.size() >= capacity_) {
      places_.erase(entries_.back().key);
      // The oldest one's memory becomes the newest one's.
      entries_.splice(entries_.begin(), entries_, std::prev(entries_.end()));
      entries_.front() = {key, std::move(value), good_until};
    } else {
      entries_.push_front({key, std::move(value), good_until});
    }
    places_.emplace(key, entries_.begin());
  }

  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }

 private:
  struct Entry {
    Key key;
    Value value;
    Nanos good_until;
  };
  const std::size_t capacity_;
  const Nanos lifetime_;
  std::list<Entry> entries_;  // the one used last comes first
  std::unordered_map<Key, typename std::list<Entry>::iterator> places_;
};

}  // namespace penstock::nodes
