// `penstock_guard PATH COUNT` goes COUNT times along one hot path, all of it on one worker, so that
// the number of instructions is the same on any machine. Run under callgrind with two counts, the
// difference is what one turn costs.
#include "paths.hpp"

#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "penstock/mailbox/lane.hpp"
#include "support/callers.hpp"

namespace {

using penstock::guard::parking;
using penstock::testing::Echo;
using penstock::testing::Number;

struct Keep {
  template <class T>
  static void take(const T& answer) noexcept {
    asm volatile("" : : "m"(answer) : "memory");  // NOLINT: so that the answer is made
  }
};

struct EchoTask : penstock::Handler {
  using request_type = Number;
  using response_type = Number;
  static penstock::Task<Number> handle(const Number& request) { co_return request; }
};

using Await = penstock::testing::OneByOne<Keep>;
using Many = penstock::testing::Window<Keep>;
using Inline = penstock::testing::Inline<Keep>;
using Gather = penstock::testing::FanOut<Keep>;

[[gnu::noinline]] penstock::Task<std::int64_t> child(std::int64_t value) { co_return value + 1; }

struct Parent : penstock::Handler {
  using request_type = Number;
  using response_type = Number;
  static penstock::Task<Number> handle(const Number& request) {
    std::int64_t value = 0;
    while (value < request.value) value = co_await child(value);
    co_return Number{value};
  }
};

template <class C, class... Callees>
std::int64_t calls(std::int64_t count) {
  penstock::testing::SmallBinary binary;
  auto& pool = binary.pool(parking(1));
  const auto ask = penstock::testing::connect<C, Callees...>(binary, pool, pool);
  binary.start();
  return ask({count}).get().value;
}

// Keeps its thread, and says so, until all are let go.
enum Standing { kNobody, kSomebody, kOver };
std::atomic<Standing> g_standing{kNobody};
void set_standing(Standing standing) {
  g_standing.store(standing);
  g_standing.notify_all();
}
struct StandsStill : penstock::Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    if (g_standing.load() != kOver) set_standing(kSomebody);
    g_standing.wait(kSomebody);
    return request;
  }
};

// Calls within a pool of two, the second of which stands still: what the first one gives itself
// stays with it.
std::int64_t near_calls(std::int64_t count) {
  penstock::testing::SmallBinary binary;
  auto& pool = binary.pool(parking(2));
  auto& still = binary.service<StandsStill>("StandsStill", penstock::Kind::simple, pool);
  still.thread = 1;
  auto& echo = binary.service<Echo>("Echo", penstock::Kind::simple, pool);
  auto& caller = binary.service<Await>("Caller", penstock::Kind::async_remote, pool);
  caller.thread = 0;
  binary.connect<Await>(caller, echo, &Await::calls_type::Echo);
  const penstock::Stub<Number, Number> ask(&binary.site(caller));
  const penstock::Stub<Number, Number> stand(&binary.site(still));
  binary.start();
  auto standing = stand({0});
  g_standing.wait(kNobody);
  const std::int64_t value = ask({count}).get().value;
  const std::uint64_t stolen = pool.stolen();
  set_standing(kOver);
  standing.get();
  return stolen == 0 ? value : -1;
}

std::int64_t children(std::int64_t count) {
  penstock::testing::SmallBinary binary;
  auto& pool = binary.pool(parking(1));
  auto& parent = binary.service<Parent>("Parent", penstock::Kind::async_remote, pool);
  const penstock::Stub<Number, Number> ask(&binary.site(parent));
  binary.start();
  return ask({count}).get().value;
}

std::int64_t lane(std::int64_t count) {
  penstock::mailbox::Lane lane;
  penstock::mailbox::Node node;
  std::int64_t taken = 0;
  for (std::int64_t turn = 0; turn < count; ++turn) {
    lane.push(node);
    taken += lane.pop() == &node ? 1 : 0;
  }
  return taken;
}

std::int64_t mailbox(std::int64_t count) {
  penstock::mailbox::MpscQueue<> queue;
  penstock::mailbox::Node node;
  std::int64_t taken = 0;
  for (std::int64_t turn = 0; turn < count; ++turn) {
    queue.push(node);
    taken += queue.pop() == &node ? 1 : 0;
  }
  return taken;
}

struct Path {
  std::string_view name;
  std::int64_t (*run)(std::int64_t count);
};

constexpr Path kPaths[] = {
    {"call", calls<Await, Echo>},
    {"call-64", calls<Many, Echo>},
    {"call-coroutine", calls<Await, EchoTask>},
    {"inline-call", calls<Inline, Echo>},
    {"coroutine-child", children},
    {"fan-out-3", calls<Gather, Echo, Echo, Echo>},
    {"call-near", near_calls},
    {"event", penstock::guard::event},
    {"event-9-fused", penstock::guard::event_9_fused},
    {"event-9-composed", penstock::guard::event_9_composed},
    {"event-9-joined", penstock::guard::event_9_joined},
    {"event-9-branched", penstock::guard::event_9_branched},
    {"event-9-fanned", penstock::guard::event_9_fanned},
    {"event-9-fanned-joined", penstock::guard::event_9_fanned_joined},
    {"lane", lane},
    {"mailbox", mailbox},
};

}  // namespace

int main(int argc, char** argv) {
  std::int64_t count = 0;
  if (argc == 3) {
    const char* const end = argv[2] + std::strlen(argv[2]);
    if (std::from_chars(argv[2], end, count).ptr == end && count > 0) {
      for (const Path& path : kPaths) {
        if (path.name != argv[1]) continue;
        const std::int64_t result = path.run(count);
        std::printf("%lld\n", static_cast<long long>(result));
        return result == count ? 0 : 1;
      }
    }
  }
  std::fprintf(stderr, "usage: %s PATH COUNT, where PATH is one of", argv[0]);
  for (const Path& path : kPaths) {
    std::fprintf(stderr, " %.*s", static_cast<int>(path.name.size()), path.name.data());
  }
  std::fprintf(stderr, "\n");
  return 2;
}
