#include "penstock/edge/server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>
#include <thread>
#include <utility>

#include "penstock/base/quiet_thread.hpp"
#include "penstock/edge/connection.hpp"
#include "penstock/http/listener.hpp"

namespace penstock::edge {

class Server::Impl {
 public:
  Impl(std::vector<flow::HttpSource*> sources, metrics::Registry& metrics, ServerOptions options)
      : options_(std::move(options)),
        metrics_(metrics),
        shared_(
            options_, std::move(sources), [this] { look_soon(); },
            [this](void (*what)(Shared&)) {
              boost::asio::post(io_, [this, what] { what(shared_); });
            }),
        listener_(io_, "http", options_.limits, shared_.connections,
                  [this](boost::asio::ip::tcp::socket socket) {
                    const auto connection =
                        std::make_shared<Connection>(std::move(socket), shared_);
                    connection->enroll();
                    connection->begin();
                  }),
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
    return shared_.asking.load(std::memory_order_seq_cst) == 0;
  }

  [[nodiscard]] const http::Connections& connections() const { return shared_.connections; }

  void drain() {
    // First: what is not counted yet sees it (Asking).
    shared_.asks_no_more.store(true, std::memory_order_seq_cst);
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

  void begin_drain() {
    if (std::exchange(shared_.draining, true)) return;
    shared_.asks_no_more.store(true, std::memory_order_seq_cst);
    listener_.close();
    const auto waiting = std::exchange(shared_.waiting, {});
    for (const auto& connection : waiting) connection->give_up_waiting();
    drop_idle();
  }

  void drop_idle() {
    for (const auto& connection : shared_.connections.all()) {
      if (connection->awaits_request()) connection->drop();
    }
  }

  /// Ends the loop when all answers are written, or had their time.
  void await_end() {
    drop_idle();  // its answer was on its way when the drain began
    if (shared_.connections.empty() || now_ns() >= give_up_at_) {
      look_.cancel();
      for (const auto& connection : shared_.connections.all()) {
        connection->drop();
      }
      io_.stop();
      return;
    }
    end_.expires_after(kLookForEnd);
    end_.async_wait([this](const boost::system::error_code&) { await_end(); });
  }

  void look_soon() {
    if (std::exchange(looking_, true)) return;
    look_.expires_after(kLookAgain);
    look_.async_wait([this](const boost::system::error_code& error) {
      looking_ = false;
      if (!error) look_for_room();
    });
  }

  void look_for_room() {
    // Each flow has its own queue: one that is full does not hold up the others.
    for (auto at = shared_.waiting.begin(); at != shared_.waiting.end();) {
      const auto connection = *at;
      const auto next = std::next(at);
      if (connection->try_again()) shared_.waiting.erase(at);
      at = next;
    }
    if (!shared_.waiting.empty()) look_soon();
  }

  const ServerOptions options_;
  metrics::Registry& metrics_;
  std::string address_;
  // Before the loop: connections that the loop still owns when it is destroyed look back at it.
  Shared shared_;
  boost::asio::io_context io_{1};
  http::Listener listener_;
  boost::asio::steady_timer look_;
  boost::asio::steady_timer end_;
  bool looking_ = false;
  Nanos give_up_at_ = 0;
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
