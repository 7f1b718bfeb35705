// What a hop between two threads costs at least: rings of one producer and one consumer.
#include "flows/rings.hpp"

#include <boost/lockfree/spsc_queue.hpp>
#include <memory>

namespace compare {
namespace {

/// Lamport's ring with the other side's index remembered (Lê et al., "Correct and Efficient Bounded
/// FIFO Queues", 2013). The index is read, and one's own is published, once in a turn: the two
/// sides pass their lines to each other for many events at a time.
class Ring {
 public:
  void begin_pushing() noexcept { head_seen_ = head_.load(std::memory_order_acquire); }
  bool push(const Parcel& parcel) noexcept {
    if (pushed_ - head_seen_ == kParcelsQueued) return false;
    cells_[pushed_++ % kParcelsQueued] = parcel;
    return true;
  }
  void end_pushing() noexcept { tail_.store(pushed_, std::memory_order_release); }

  void begin_popping() noexcept { tail_seen_ = tail_.load(std::memory_order_acquire); }
  bool pop(Parcel& parcel) noexcept {
    if (popped_ == tail_seen_) return false;
    parcel = cells_[popped_++ % kParcelsQueued];
    return true;
  }
  void end_popping() noexcept { head_.store(popped_, std::memory_order_release); }

 private:
  alignas(128) std::array<Parcel, kParcelsQueued> cells_{};
  alignas(128) std::atomic<std::uint64_t> tail_{0};
  alignas(128) std::atomic<std::uint64_t> head_{0};
  alignas(128) std::uint64_t pushed_ = 0;  // the producer's
  std::uint64_t head_seen_ = 0;
  alignas(128) std::uint64_t popped_ = 0;  // the consumer's
  std::uint64_t tail_seen_ = 0;
};

class BoostRing {
 public:
  bool push(const Parcel& parcel) { return queue_.push(parcel); }
  bool pop(Parcel& parcel) { return queue_.pop(parcel); }

 private:
  alignas(
      128) boost::lockfree::spsc_queue<Parcel, boost::lockfree::capacity<kParcelsQueued>> queue_;
};

template <unsigned stages>
struct Rings {
  static double rate() { return std::make_unique<TwoThreads<Ring, stages>>()->rate(); }
};
template <unsigned stages>
struct BoostRings {
  static double rate() { return std::make_unique<TwoThreads<BoostRing, stages>>()->rate(); }
};

const EnterFlow<Rings> kRings(true, "limit-spsc-ring",
                              "rings of one producer and one consumer, events copied in and out");
const EnterFlow<BoostRings> kBoost(true, "boost-spsc",
                                   "boost::lockfree::spsc_queue, two threads that poll them all");

}  // namespace
}  // namespace compare
