#include "penstock/edge/server.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "penstock/base/quiet_thread.hpp"
#include "penstock/edge/connection.hpp"
#include "penstock/edge/worker_line.hpp"
#include "penstock/http/asio_line.hpp"
#include "penstock/http/listener.hpp"

namespace penstock::edge {
namespace {

/// The pool that most of the services are asked by; null: there are none.
exec::Pool* most_asked(const ExposedServices& exposed) {
  exec::Pool* most = nullptr;
  std::ptrdiff_t services = 0;
  for (const Exposed& one : exposed.services) {
    const auto count = std::count_if(exposed.services.begin(), exposed.services.end(),
                                     [&](const Exposed& other) { return other.pool == one.pool; });
    if (count > services) {
      most = one.pool;
      services = count;
    }
  }
  return most;
}

}  // namespace

class Server::Impl {
 public:
  Impl(std::vector<flow::HttpSource*> sources, metrics::Registry& metrics, ServerOptions options)
      : options_(std::move(options)),
        metrics_(metrics),
        shared_(
            options_, std::move(sources), [this] { look_soon(); },
            [this](std::function<void()> what) { boost::asio::post(io_, std::move(what)); }),
        workers_(most_asked(options_.exposed)),
        listener_(io_, "http", options_.limits, shared_.connections,
                  [this](boost::asio::ip::tcp::socket socket) { admit(std::move(socket)); }),
        look_(io_),
        end_(io_) {}

  ~Impl() { stop(now_ns()); }

  void start() {
    listener_.open(options_.host, options_.port, options_.beyond);
    shared_.port = listener_.port();
    address_ = listener_.address();
    listener_.accept();
    thread_ = start_quiet_thread("ps-http", [this] { run(); });
  }

  [[nodiscard]] std::string address() const { return address_; }

  [[nodiscard]] bool asks_nobody() const noexcept {
    // Acquire: what came into the flows before they were closed is seen there.
    if (shared_.draining.load(std::memory_order_seq_cst) &&
        !flows_closed_.load(std::memory_order_acquire)) {
      return false;
    }
    return shared_.asking.load(std::memory_order_seq_cst) == 0;
  }

  [[nodiscard]] const http::Connections& connections() const { return shared_.connections; }

  void drain() {
    say_stop();
    boost::asio::post(io_, [this] { begin_drain(); });
  }

  void stop(Nanos deadline) {
    if (!thread_.joinable()) return;
    boost::asio::post(io_, [this, deadline] {
      begin_drain();
      give_up_at_ = deadline;
      await_end();
    });
    thread_.join();
  }

 private:
  /// Between two looks for room in the queue of a flow whose requests wait.
  static constexpr std::chrono::milliseconds kLookAgain{1};
  static constexpr std::chrono::milliseconds kLookForEnd{2};
  static constexpr unsigned kLooksPerPoke = 16;

  void run() {
    metrics_.enter();
    for (;;) {
      try {
        io_.run();
        break;
      } catch (const std::exception& error) {
        // What one connection ran into (out of memory, say) must not end the others.
        static_cast<void>(std::fprintf(stderr, "penstock: http: %s\n", error.what()));
      }
    }
    metrics_.leave();
  }

  void admit(boost::asio::ip::tcp::socket socket) {
    const unsigned place = accepted_++;
    const http::Security* const security = options_.security.get();
    if (workers_ == nullptr || workers_->size() == 0) {
      auto line = std::make_unique<http::AsioLine>(std::move(socket), security);
      const auto connection = std::make_shared<Connection>(std::move(line), shared_, place);
      connection->enroll();
      return connection->begin();
    }
    socket.native_non_blocking(true);
    auto line =
        std::make_unique<WorkerLine>(net::Descriptor(socket.release()), *workers_, security);
    const auto connection = std::make_shared<Connection>(std::move(line), shared_, place);
    connection->enroll();
    connection->start();
  }

  // First: what is not counted yet sees it (Asking), and a connection that is not told any more.
  void say_stop() {
    shared_.asks_no_more.store(true, std::memory_order_seq_cst);
    shared_.draining.store(true, std::memory_order_seq_cst);
  }

  void begin_drain() {
    if (std::exchange(drains_, true)) return;
    say_stop();
    listener_.close();
    shared_.flows.stop();
    // Release: see asks_nobody().
    flows_closed_.store(true, std::memory_order_release);
    poke_all();
  }

  /// Those that wait for a request go, once they look.
  void poke_all() {
    for (const auto& connection : shared_.connections.all()) connection->poke();
  }

  /// Ends the loop when all answers are written, or had their time.
  void await_end() {
    if (shared_.connections.empty()) {
      look_.cancel();
      return io_.stop();
    }
    // An answer was on its way when the drain began.
    const bool gives_up = now_ns() >= give_up_at_ && !shared_.over.exchange(true);
    if (gives_up || looks_for_end_++ % kLooksPerPoke == 0) poke_all();
    end_.expires_after(kLookForEnd);
    end_.async_wait([this](const boost::system::error_code&) { await_end(); });
  }

  void look_soon() {
    if (std::exchange(looking_, true)) return;
    look_.expires_after(kLookAgain);
    look_.async_wait([this](const boost::system::error_code& error) {
      looking_ = false;
      if (!error) shared_.flows.look();
    });
  }

  const ServerOptions options_;
  metrics::Registry& metrics_;
  std::string address_;
  // Before the loop: connections that the loop still owns when it is destroyed look back at it.
  Shared shared_;
  exec::Pool* const workers_;  // that have the connections; null: our thread does
  unsigned accepted_ = 0;      // connections, so far
  boost::asio::io_context io_{1};
  http::Listener listener_;
  boost::asio::steady_timer look_;
  boost::asio::steady_timer end_;
  bool looking_ = false;
  bool drains_ = false;
  std::atomic<bool> flows_closed_{false};  // nothing comes into a flow any more
  Nanos give_up_at_ = 0;
  unsigned looks_for_end_ = 0;
  std::thread thread_;
};

Server::Server(std::vector<flow::HttpSource*> sources, metrics::Registry& metrics,
               ServerOptions options)
    : impl_(std::make_unique<Impl>(std::move(sources), metrics, std::move(options))) {}
Server::~Server() = default;
void Server::start() { impl_->start(); }
std::string Server::address() const { return impl_->address(); }
std::size_t Server::held_bytes() const { return impl_->connections().held(); }
std::size_t Server::most_held_bytes() const { return impl_->connections().most_held(); }
void Server::drain() { impl_->drain(); }
bool Server::asks_nobody() const noexcept { return impl_->asks_nobody(); }
void Server::stop(Nanos deadline) { impl_->stop(deadline); }

}  // namespace penstock::edge
