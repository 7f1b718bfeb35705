// `penstock_wrong_thread await|take|look|drop` does that with a Future on a thread that has not
// made the call, `hold` holds a worker from outside, `cancel` cancels a timer that another thread
// armed, `link` uses a link that another thread made, `count` counts where another thread does,
// `socket` has to do with the sockets of a worker from outside, `connection` with an HTTP
// connection, `feed` feeds live clients on a second thread, `strand` gives up a right that it does
// not have. With anything else it does all of it where it may.
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "penstock/control/fake_host.hpp"
#include "penstock/control/feed.hpp"
#include "penstock/exec/strand.hpp"
#include "penstock/http/asio_line.hpp"
#include "penstock/http/connection.hpp"
#include "penstock/metrics/registry.hpp"
#include "penstock/net/remote/door/on_worker.hpp"
#include "penstock/net/socket/poller.hpp"
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

void use_strand(bool without_right) {
  exec::Strand strand;
  if (!without_right) static_cast<void>(strand.try_enter());
  static_cast<void>(strand.leave());
}

void use_counter(bool elsewhere) {
  metrics::Registry registry;
  const std::uint32_t counter = registry.add_counters();
  registry.start();
  registry.enter();
  metrics::Shard& shard = registry.shard();
  at(elsewhere, [&shard, counter] { shard.add(counter); });
  registry.leave();
}

void use_feed(bool elsewhere) {
  const control::Limits limits;
  control::fake::FakeHost host;
  boost::asio::io_context loop;
  control::Feed feed(loop, host, limits);
  feed.refresh_schema();
  at(elsewhere, [&feed] { feed.refresh_schema(); });
}

class Mute final : public http::Connection {
 public:
  using Connection::Connection;

 private:
  void on_request(const http::RequestHead& /*head*/) override {}
  [[nodiscard]] http::Reply refusal(const http::Denial& /*denial*/) const override { return {}; }
};

void use_connection(bool elsewhere) {
  const http::Limits limits;
  http::Connections all;
  boost::asio::io_context loop;
  using Socket = http::AsioLine::Socket;
  const auto connection =
      std::make_shared<Mute>(std::make_unique<http::AsioLine>(Socket(loop)), limits, all);
  const auto use = [&connection] { connection->drop(); };
  if (elsewhere) return use();
  boost::asio::post(loop, use);
  loop.run();
}

struct Unwatched final : net::SocketPoller::Watcher {
  void ready(Events /*events*/) noexcept override {}
  bool look() noexcept override { return false; }
  void flush() noexcept override {}
  void retire() noexcept override {}
};

void use_socket(exec::Worker& worker, bool elsewhere) {
  constexpr Nanos kNever = Nanos{1} << 61U;
  const auto use = [](net::SocketPoller& poller) {
    Unwatched watcher;
    poller.forget({}, watcher);
  };
  net::SocketPoller* its = nullptr;
  static_cast<void>(net::on_worker(worker, kNever, [&use, &its] {
    its = &net::SocketPoller::here();
    use(*its);
  }));
  if (elsewhere) use(*its);
}

void run(std::string_view how) {
  use_timer(how == "cancel");
  use_link(how == "link");
  use_strand(how == "strand");
  use_counter(how == "count");
  use_feed(how == "feed");
  use_connection(how == "connection");
  testing::SmallBinary binary;
  auto& pool = binary.pool(testing::pool_settings("p", 1));
  const Stub<Number, Number> ask(&binary.site(binary.service<Echo>("Echo", Kind::simple, pool)));
  binary.start();
  if (how == "hold") pool.worker(0).hold();
  use_socket(pool.worker(0), how == "socket");
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
