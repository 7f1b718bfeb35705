// `penstock_wrong_thread await|take|look|drop` does that with a Future on a thread that has not
// made the call, `hold` holds a worker from outside, `cancel` cancels a timer that another thread
// armed, `link` uses a link that another thread made. With anything else it does all of it where it
// may.
#include <cstdio>
#include <string_view>
#include <thread>
#include <utility>

#include "support/small_binary.hpp"
#include "support/two_links.hpp"

namespace penstock {
namespace {

struct Number {
  int value = 0;
};

struct Echo : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) {
    exec::Worker& worker = *exec::Worker::current();
    worker.hold();
    worker.let_go();
    return request;
  }
};

Task<void> wait_for(Future<Number>& future) { static_cast<void>(co_await future); }

void use(Future<Number>& future, std::string_view how) {
  if (how == "await") {
    const Task<void> waiting = wait_for(future);
    waiting.start([](void*) noexcept {}, nullptr);
  } else if (how == "take") {
    static_cast<void>(future.get());
  } else if (how == "look") {
    static_cast<void>(future.ready());
  } else {
    const Future<Number> dropped = std::move(future);
  }
}

// Here, or on a thread of its own.
template <class Use>
void at(bool elsewhere, const Use& use) {
  if (elsewhere) {
    std::thread(use).join();
  } else {
    use();
  }
}

void use_timer(bool elsewhere) {
  exec::TimerWheel wheel(0);
  exec::Timer timer;
  wheel.arm(timer, 1'000'000'000, [](exec::Timer& /*timer*/) noexcept {});
  at(elsewhere, [&timer] { timer.cancel(); });
}

void use_link(bool elsewhere) {
  using namespace testing::two_links;
  End front{kFront, kSecond};
  at(elsewhere, [&front] { front.link.look(kSecond); });
}

void run(std::string_view how) {
  use_timer(how == "cancel");
  use_link(how == "link");
  testing::SmallBinary binary;
  auto& pool = binary.pool(testing::pool_settings("p", 1));
  const Stub<Number, Number> ask(&binary.site(binary.service<Echo>("Echo", Kind::simple, pool)));
  binary.start();
  if (how == "hold") pool.worker(0).hold();
  for (const std::string_view way : {"await", "take", "look", "drop"}) {
    Future<Number> future = ask({1});
    at(way == how, [&] { use(future, way); });
  }
}

}  // namespace
}  // namespace penstock

int main(int argc, char** argv) {
  penstock::run(argc == 2 ? argv[1] : "");
  std::puts("kept to the rules");
  return 0;
}
