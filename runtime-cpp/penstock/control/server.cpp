#include "penstock/control/server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "penstock/base/context.hpp"
#include "penstock/base/quiet_thread.hpp"
#include "penstock/control/audit_log.hpp"
#include "penstock/control/connection.hpp"
#include "penstock/control/feed.hpp"
#include "penstock/control/task_threads.hpp"
#include "penstock/http/listener.hpp"

namespace penstock::control {

class Server::Impl {
 public:
  Impl(Host& host, ServerOptions options)
      : host_(host),
        options_(std::move(options)),
        audit_(options_.audit),
        live_{options_.limits, feed_, audit_,
              [this](RpcCall call, ReplyTo reply) {
                return submit(std::move(call), std::move(reply));
              }},
        http_{options_.limits, host_, options_.token, audit_, live_, 0, {}},
        feed_(io_, host_, options_.limits),
        listener_(io_, "control", options_.limits, http_.connections,
                  [this](boost::asio::ip::tcp::socket socket) {
                    const auto connection = std::make_shared<Connection>(std::move(socket), http_);
                    connection->enroll();
                    connection->begin();
                  }),
        stop_poll_(io_),
        commands_("ps-command", 1, options_.limits.waiting_commands),
        asks_("ps-ask", options_.limits.asks, options_.limits.waiting_asks) {
    if (options_.token.empty()) throw std::invalid_argument("control: the token is empty");
  }

  ~Impl() { stop(); }

  void start() {
    listener_.open(options_.host, options_.port);
    http_.port = listener_.port();
    address_ = listener_.address();
    listener_.accept();
    thread_ = start_quiet_thread("ps-control", [this] { run(); });
  }

  [[nodiscard]] std::string address() const { return address_; }

  [[nodiscard]] std::size_t most_held_bytes() const { return http_.connections.most_held(); }

  [[nodiscard]] std::size_t most_answer_bytes() const {
    return live_.most_answer_bytes.load(std::memory_order_relaxed);
  }

  void stop() {
    if (!thread_.joinable()) return;
    // First: they use the host, and post their answers here.
    asks_.stop();
    commands_.stop();
    boost::asio::post(io_, [this] {
      listener_.close();
      feed_.close();
      for (const auto& connection : http_.connections.all()) connection->drop();
      give_up_at_ = std::chrono::steady_clock::now() + kGoodbye;
      await_goodbyes();
    });
    thread_.join();
  }

 private:
  static constexpr std::chrono::milliseconds kGoodbye{500};

  void run() {
    for (;;) {
      try {
        io_.run();
        return;
      } catch (const std::exception& error) {
        // What one connection ran into (out of memory, say) must not end the others.
        static_cast<void>(std::fprintf(stderr, "penstock: control: %s\n", error.what()));
      }
    }
  }

  /// Ends the loop when the clients are gone, or had their time.
  void await_goodbyes() {
    if (live_.clients.empty() || std::chrono::steady_clock::now() >= give_up_at_) return io_.stop();
    stop_poll_.expires_after(std::chrono::milliseconds(5));
    stop_poll_.async_wait([this](const boost::system::error_code&) { await_goodbyes(); });
  }

  bool submit(RpcCall call, ReplyTo reply) {
    // Also while it waits for a thread that asks: whoever asked does not wait for longer.
    if (auto* const ask = std::get_if<AskService>(&call.command)) ask->asking.asked_ns = now_ns();
    // A service that takes its time holds up no command, and the other way round.
    TaskThreads& threads = std::holds_alternative<AskService>(call.command) ? asks_ : commands_;
    return threads.submit([this, call = std::move(call), reply = std::move(reply)] {
      Answer answer = perform(call, host_);
      boost::asio::post(io_, [this, method = call.method, params = call.params, reply,
                              answer = std::move(answer)] {
        audit_.command(method, answer.problem, params, answer.setting);
        reply(answer.text);
        feed_.refresh_schema();  // now rather than with the next sample
      });
    });
  }

  Host& host_;
  const ServerOptions options_;
  std::string address_;
  AuditLog audit_;
  // Before the loop: connections that the loop still owns when it is destroyed look back at these.
  LiveShared live_;
  HttpShared http_;
  boost::asio::io_context io_{1};
  Feed feed_;
  http::Listener listener_;
  boost::asio::steady_timer stop_poll_;
  std::chrono::steady_clock::time_point give_up_at_;
  TaskThreads commands_;
  TaskThreads asks_;
  std::thread thread_;
};

Server::Server(Host& host, ServerOptions options)
    : impl_(std::make_unique<Impl>(host, std::move(options))) {}
Server::~Server() = default;
void Server::start() { impl_->start(); }
std::string Server::address() const { return impl_->address(); }
std::size_t Server::most_held_bytes() const { return impl_->most_held_bytes(); }
std::size_t Server::most_answer_bytes() const { return impl_->most_answer_bytes(); }
void Server::stop() { impl_->stop(); }

}  // namespace penstock::control
