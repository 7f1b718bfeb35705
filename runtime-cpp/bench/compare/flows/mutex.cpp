// The pipeline of every textbook: a thread a stage, and a queue behind a mutex before each.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "flows/parcels.hpp"

namespace compare {
namespace {

class Queue {
 public:
  void push(const Parcel& parcel) {
    std::unique_lock hold(mutex_);
    room_.wait(hold, [this] { return parcels_.size() < kParcelsQueued; });
    parcels_.push_back(parcel);
    hold.unlock();
    some_.notify_one();
  }
  Parcel pop() {
    std::unique_lock hold(mutex_);
    some_.wait(hold, [this] { return !parcels_.empty(); });
    const Parcel parcel = parcels_.front();
    parcels_.pop_front();
    hold.unlock();
    room_.notify_one();
    return parcel;
  }

 private:
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable some_;
  std::deque<Parcel> parcels_;
};

constexpr std::uint64_t kEnd = ~std::uint64_t{0};

template <unsigned stages>
struct Locked {
  static double rate() {
    std::vector<Queue> queues(stages + 1);
    std::vector<std::thread> threads;
    for (unsigned stage = 0; stage + 1 < stages; ++stage) {
      threads.emplace_back([&queues, stage] {
        pin(cpu_of_stage(stage, stages));
        for (;;) {
          const Parcel parcel = queues[stage].pop();
          queues[stage + 1].push(parcel.words[7] == kEnd ? parcel : relayed(parcel));
          if (parcel.words[7] == kEnd) return;
        }
      });
    }
    std::thread last([&queues] {
      pin(0);
      std::uint64_t sum = 0;
      for (;;) {
        const Parcel parcel = queues[stages - 1].pop();
        if (parcel.words[7] == kEnd) break;
        sum += parcel.words[0];
        // The last one of a batch.
        if (parcel.words[6] != 0) queues[stages].push(parcel);
      }
      keep(sum);
    });
    pin(0);
    const double rate = rate_of([&queues](std::uint64_t count) {
      Parcel parcel{};
      for (std::uint64_t event = 1; event < count; ++event) queues[0].push(parcel);
      parcel.words[6] = 1;
      queues[0].push(parcel);
      static_cast<void>(queues[stages].pop());
    });
    Parcel end{};
    end.words[7] = kEnd;
    queues[0].push(end);
    for (std::thread& thread : threads) thread.join();
    last.join();
    return rate;
  }
};

const EnterFlow<Locked> kLocked(true, "mutex-queues",
                                "a thread a stage, std::deque behind std::mutex and condition");

}  // namespace
}  // namespace compare
