// CAF's streams over its I/O module: a stream a node, from an actor of the source's system to one
// of the node's. Each system has one thread for its actors and one for its sockets. C++17, as CAF's
// headers want.
#include <atomic>
#include <caf/all.hpp>
#include <caf/io/all.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "streaming/nodes.hpp"

namespace compare {
namespace {

/// A system whose threads are all on one CPU.
class System {
 public:
  explicit System(unsigned thread) {
    pin(thread);
    config_.set("scheduler.max-threads", 1);
    config_.load<caf::io::middleman>();
    config_.add_message_type<caf::stream<std::uint64_t>>("stream of numbers");
    config_.add_message_type<std::vector<std::uint64_t>>("numbers");
    system_ = std::make_unique<caf::actor_system>(config_);
  }
  [[nodiscard]] caf::actor_system& operator*() { return *system_; }

 private:
  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> system_;
};

/// What a node has counted.
struct alignas(64) Counted {
  std::atomic<std::uint64_t> numbers{0};
};

caf::behavior sink(caf::event_based_actor* self, Counted* counted) {
  return {[self, counted](const caf::stream<std::uint64_t>& in) {
    return caf::attach_stream_sink(
        self, in, [](caf::unit_t&) {},
        [counted](caf::unit_t&, std::uint64_t number) {
          keep(number);
          const std::uint64_t before = counted->numbers.load(std::memory_order_relaxed);
          counted->numbers.store(before + 1, std::memory_order_relaxed);
        });
  }};
}

/// Streams numbers for ever, as it takes a stream a while to be at its best.
caf::behavior source(caf::event_based_actor* self, const caf::actor& sink) {
  return {[self, sink](caf::ok_atom) {
    return caf::attach_stream_source(
        self, sink, [](std::uint64_t& next) { next = 0; },
        [](std::uint64_t& next, caf::downstream<std::uint64_t>& out, std::size_t room) {
          for (; room != 0; --room) out.push(next++);
        },
        [](const std::uint64_t&) { return false; });
  }};
}

class Streams {
 public:
  explicit Streams(unsigned nodes) : counted_(nodes) {
    for (unsigned node = 0; node < nodes; ++node) nodes_.push_back(std::make_unique<System>(1));
    here_ = std::make_unique<System>(0);
    for (unsigned node = 0; node < nodes; ++node) {
      System& system = *nodes_[node];
      sinks_.push_back((*system).spawn(sink, &counted_[node]));
      const auto port = (*system).middleman().publish(sinks_.back(), 0, "127.0.0.1");
      if (!port) throw std::runtime_error("CAF listens nowhere");
      const auto there = (**here_).middleman().remote_actor("127.0.0.1", *port);
      if (!there) throw std::runtime_error("CAF reaches nobody");
      sources_.push_back((**here_).spawn(source, *there));
    }
    for (const caf::actor& one : sources_) caf::anon_send(one, caf::ok_atom::value);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() = default;

  /// Waits for so many more; gives how many they were. Throws where no more come.
  std::uint64_t stream(std::uint64_t count) const {
    constexpr int kMostLooks = 5000;
    const std::uint64_t before = counted();
    std::uint64_t more = 0;
    for (int looks = 0; more < count; ++looks) {
      if (looks == kMostLooks) throw std::runtime_error("CAF's streams stand still");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const std::uint64_t now = counted() - before;
      if (now != more) looks = 0;
      more = now;
    }
    return more;
  }

 private:
  [[nodiscard]] std::uint64_t counted() const {
    std::uint64_t sum = 0;
    for (const Counted& node : counted_) sum += node.numbers.load(std::memory_order_relaxed);
    return sum;
  }

  std::vector<Counted> counted_;
  std::vector<std::unique_ptr<System>> nodes_;
  std::unique_ptr<System> here_;
  std::vector<caf::actor> sinks_;
  std::vector<caf::actor> sources_;
};

template <unsigned nodes>
struct Actors {
  static double rate() {
    auto& streams = *new Streams(nodes);
    const double rate =
        rate_of([&streams](std::uint64_t& count) { count = streams.stream(count); });
    // Systems whose streams are under way do not always end: these end with the process.
    std::atexit([] {
      std::fflush(nullptr);
      std::_Exit(0);
    });
    return rate;
  }
};

const EnterStream<Actors> kStream("caf", "a stream of CAF's a node, over its I/O module");

}  // namespace
}  // namespace compare
