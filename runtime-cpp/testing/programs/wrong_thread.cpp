// `penstock_wrong_thread await|take|look|drop` does that with a Future on a thread that has not
// made the call. With anything else it does all of it where it may.
#include <cstdio>
#include <string_view>
#include <thread>
#include <utility>

#include "support/small_binary.hpp"

namespace penstock {
namespace {

struct Number {
  int value = 0;
};

struct Echo : Handler {
  using request_type = Number;
  using response_type = Number;
  static Number handle(const Number& request) { return request; }
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

void run(std::string_view how) {
  testing::SmallBinary binary;
  auto& pool = binary.pool(testing::pool_settings("p", 1));
  const Stub<Number, Number> ask(&binary.site(binary.service<Echo>("Echo", Kind::simple, pool)));
  binary.start();
  for (const std::string_view way : {"await", "take", "look", "drop"}) {
    Future<Number> future = ask({1});
    if (way == how) {
      std::thread([&] { use(future, how); }).join();
    } else {
      use(future, way);
    }
  }
}

}  // namespace
}  // namespace penstock

int main(int argc, char** argv) {
  penstock::run(argc == 2 ? argv[1] : "");
  std::puts("kept to the rules");
  return 0;
}
