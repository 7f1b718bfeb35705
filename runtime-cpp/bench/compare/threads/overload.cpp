// What a pool still serves of what it could when it is asked for 2 and 10 times as much: one worker
// that takes about ten microseconds a request, with a short queue that rejects.
#include <cstdint>
#include <deque>

#include "harness/contender.hpp"
#include "harness/cpus.hpp"
#include "harness/work.hpp"
#include "support/small_binary.hpp"

namespace compare {
namespace {

using penstock::Future;
using penstock::Nanos;
using penstock::now_ns;
using penstock::Stub;

constexpr std::uint32_t kQueue = 64;
constexpr Nanos kSlice = 100'000'000;
/// Slices at capacity and under overload take turns, so that both meet the same processor.
constexpr int kTurns = 4;

struct Work {
  std::uint32_t seed = 1;
};
struct Works : penstock::Handler {
  using request_type = Work;
  using response_type = Work;
  static Work handle(const Work& request) { return {work(request.seed)}; }
};

class Asker {
 public:
  explicit Asker(const Stub<Work, Work>& ask) : ask_(ask) {}

  /// Requests answered a second with the queue never empty and never full.
  double at_capacity() {
    return served_a_second([this](Nanos) {
      while (waiting_.size() < kQueue / 2) waiting_.push_back(ask_({1}));
    });
  }

  /// The same when `rate` a second come, whatever is answered.
  double at_rate(double rate) {
    const Nanos start = now_ns();
    std::uint64_t sent = 0;
    return served_a_second([&, this](Nanos now) {
      const auto due = static_cast<std::uint64_t>(static_cast<double>(now - start) * rate / 1e9);
      // At most what the queue holds between two looks: a sender that was away does not come back
      // with seconds' worth of requests at once.
      for (std::uint32_t most = kQueue; sent < due && most > 0; --most, ++sent) {
        waiting_.push_back(ask_({1}));
      }
      if (sent < due) sent = due;
    });
  }

 private:
  template <class Send>
  double served_a_second(const Send& send) {
    const Nanos start = now_ns();
    std::uint64_t served = 0;
    Nanos now = start;
    for (; now < start + kSlice; now = now_ns()) {
      send(now);
      served += reap();
    }
    const double seconds = static_cast<double>(now - start) / 1e9;
    while (!waiting_.empty()) reap();
    return static_cast<double>(served) / seconds;
  }

  /// Takes off what is answered or refused; how many of it were answered.
  std::uint64_t reap() {
    std::uint64_t served = 0;
    for (std::size_t look = waiting_.size(); look > 0; --look) {
      Future<Work> first = std::move(waiting_.front());
      waiting_.pop_front();
      if (!first.ready()) {
        waiting_.push_back(std::move(first));
      } else if (penstock::call::answered(first)) {
        ++served;
      }
    }
    return served;
  }

  const Stub<Work, Work>& ask_;
  std::deque<Future<Work>> waiting_;
};

template <int times>
double overload() {
  penstock::testing::SmallBinary binary;
  auto settings =
      penstock::testing::pool_settings("p", 1, kQueue, penstock::exec::Overflow::reject);
  settings.threads[0] = {cpu(0)};
  auto& pool = binary.pool(std::move(settings));
  auto& service = binary.service<Works>("Works", penstock::Kind::simple, pool);
  const Stub<Work, Work> ask(&binary.site(service));
  binary.start();
  // Only now: workers start on the CPUs of who starts them.
  pin(1);
  Asker asker(ask);
  static_cast<void>(asker.at_capacity());
  double full = 0;
  double over = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const double capacity = asker.at_capacity();
    full += capacity;
    over += asker.at_rate(capacity * times);
  }
  return over / full;
}

const Enter kTwice({"overload/2x", "penstock", "a queue of 64 that rejects", overload<2>});
const Enter kTenfold({"overload/10x", "penstock", "a queue of 64 that rejects", overload<10>});

}  // namespace
}  // namespace compare
