#pragma once

#include <boost/intrusive/unordered_set.hpp>
#include <cstdint>
#include <vector>

namespace penstock::net {

/// A call that came over a link and is not answered yet; who serves it keeps it until it has
/// answered.
class ReceivedCall : public boost::intrusive::unordered_set_base_hook<
                         boost::intrusive::link_mode<boost::intrusive::normal_link>> {
 public:
  ReceivedCall() = default;
  ReceivedCall(const ReceivedCall&) = delete;
  ReceivedCall& operator=(const ReceivedCall&) = delete;

  /// Of one that was cancelled: its caller has waited for as long as it would, as far as it says
  /// so.
  [[nodiscard]] bool is_late() const noexcept { return late_; }

 protected:
  ~ReceivedCall() = default;

 private:
  friend class Link;
  friend class ReceivedCalls;
  std::uint64_t number_ = 0;  // the caller's
  std::uint16_t service_ = 0;
  bool late_ = false;
  std::uint64_t held_ = 0;  // bytes of its buffers that came in pieces
};

/// One that nobody keeps: whoever serves it ends it by its number, once, and is not told when it is
/// cancelled. Another one of the same number is not noticed: its caller gets two answers.
struct CallNumber {
  std::uint64_t number = 0;   ///< the caller's
  std::uint16_t service = 0;  ///< its place in the own hello's services
};

/// Those of one link, by the number that their caller gave them.
class ReceivedCalls {
 public:
  [[nodiscard]] ReceivedCall* find(std::uint64_t number) noexcept {
    const auto found = set_.find(number, Hash(), Same());
    return found == set_.end() ? nullptr : &*found;
  }
  /// Room for one more. Throws std::bad_alloc.
  void reserve_one() {
    if (set_.size() >= buckets_.size()) {
      std::vector<Set::bucket_type> more(buckets_.size() * 2);
      set_.rehash(Set::bucket_traits(more.data(), more.size()));
      buckets_.swap(more);
    }
  }
  /// One whose number is not among them, after reserve_one().
  void add(ReceivedCall& call) noexcept { set_.insert(call); }
  void remove(ReceivedCall& call) noexcept { set_.erase(set_.iterator_to(call)); }
  /// Any of them, which is none of them any more; null: there are none.
  ReceivedCall* take_any() noexcept {
    if (set_.empty()) return nullptr;
    ReceivedCall& call = *set_.begin();
    remove(call);
    return &call;
  }
  [[nodiscard]] std::size_t size() const noexcept { return set_.size(); }

 private:
  struct Hash {
    // The numbers of this runtime are places in a table; those of another one may be anything.
    std::size_t operator()(std::uint64_t number) const noexcept {
      return static_cast<std::size_t>((number * 0x9E3779B97F4A7C15U) >> 20U);
    }
    std::size_t operator()(const ReceivedCall& call) const noexcept {
      return (*this)(call.number_);
    }
  };
  struct Same {
    bool operator()(const ReceivedCall& one, const ReceivedCall& other) const noexcept {
      return one.number_ == other.number_;
    }
    bool operator()(std::uint64_t number, const ReceivedCall& call) const noexcept {
      return number == call.number_;
    }
    bool operator()(const ReceivedCall& call, std::uint64_t number) const noexcept {
      return call.number_ == number;
    }
  };
  using Set = boost::intrusive::unordered_set<ReceivedCall, boost::intrusive::hash<Hash>,
                                              boost::intrusive::equal<Same>,
                                              boost::intrusive::power_2_buckets<true>>;
  static constexpr std::size_t kFirstBuckets = 64;

  std::vector<Set::bucket_type> buckets_ = std::vector<Set::bucket_type>(kFirstBuckets);
  Set set_{Set::bucket_traits(buckets_.data(), buckets_.size())};
};

}  // namespace penstock::net
