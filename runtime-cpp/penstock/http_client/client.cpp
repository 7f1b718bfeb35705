#include "penstock/http_client/client.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cctype>
#include <deque>
#include <future>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "penstock/http_client/io_thread.hpp"
#include "penstock/http_client/transfer.hpp"

namespace penstock::http_client {
namespace {

// A line's end within a header would begin another header, or another request.
void check_words(const Request& request) {
  const auto is_token = [](char letter) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           kMarks.find(letter) != std::string_view::npos;
  };
  const auto is_control = [](char letter) {
    return (static_cast<unsigned char>(letter) < ' ' && letter != '\t') || letter == '\x7f';
  };
  const auto are_tokens = [&](const std::string& word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), is_token);
  };
  bool legal = are_tokens(request.method);
  for (const auto& [name, value] : request.headers) {
    legal = legal && are_tokens(name) && std::none_of(value.begin(), value.end(), is_control);
  }
  if (!legal) {
    throw Error(ErrorCode::invalid_argument,
                "a method or header has characters in it that end a header's line");
  }
}

}  // namespace

/// The connections of a client and who waits for one. Its Carrier functions may be called on any
/// thread; the rest is the I/O thread's.
class Hosts final : public Carrier,
                    public Transfer::Owner,
                    public std::enable_shared_from_this<Hosts> {
 public:
  explicit Hosts(const ClientSettings& settings) : settings_(settings), io_(io_thread()) {}

  void start(std::shared_ptr<Exchange> exchange) override {
    boost::asio::post(
        io_, [self = shared_from_this(), exchange = std::move(exchange)] { self->take(exchange); });
  }
  void cancel(std::shared_ptr<Exchange> exchange) noexcept override {
    boost::asio::post(io_, [self = shared_from_this(), exchange = std::move(exchange)] {
      if (const auto transfer = exchange->transfer.lock()) {
        transfer->end_with(ErrorCode::cancelled, "nobody waits for the answer any more");
      }
    });
  }
  /// Ends everything, and waits until it has ended.
  void close() {
    std::promise<void> closed;
    boost::asio::post(io_, [this, &closed] {
      closed_ = true;
      while (!transfers_.empty()) {
        (*transfers_.begin())->end_with(ErrorCode::cancelled, "its client is gone");
      }
      hosts_.clear();
      closed.set_value();
    });
    closed.get_future().wait();
  }

 private:
  struct Host {
    std::vector<std::shared_ptr<Connection>> idle;
    std::deque<std::weak_ptr<Transfer>> waiting;
    std::uint32_t busy = 0;
  };

  using Key = std::pair<std::string, std::string>;

  [[nodiscard]] static Key key_of(const Transfer& transfer) {
    return {transfer.url().host, transfer.url().port};
  }
  [[nodiscard]] Host& host_of(const Transfer& transfer) { return hosts_[key_of(transfer)]; }

  void take(const std::shared_ptr<Exchange>& exchange) {
    std::shared_ptr<Transfer> transfer;
    try {
      transfer = std::make_shared<Transfer>(io_, exchange, *this, settings_);
    } catch (const std::exception& error) {
      // A header that is too long, say.
      exchange->error.emplace(ErrorCode::invalid_argument,
                              std::string("the request cannot be sent: ") + error.what());
      return arrive(exchange);
    }
    exchange->transfer = transfer;
    transfers_.insert(transfer);
    Host& host = host_of(*transfer);
    transfer->wait_for_turn();
    if (closed_) {
      transfer->end_with(ErrorCode::cancelled, "its client is gone");
    } else if (host.busy >= settings_.connections) {
      host.waiting.push_back(transfer);
    } else {
      begin(*transfer, host);
    }
  }

  void begin(Transfer& transfer, Host& host) {
    ++host.busy;
    std::shared_ptr<Connection> connection;
    // The one used last: others may fall idle for good and be closed by the other side.
    if (!host.idle.empty()) {
      connection = std::move(host.idle.back());
      host.idle.pop_back();
      connection->idle = false;
      connection->socket.cancel();
    }
    transfer.begin(std::move(connection));
  }

  void ended(Transfer& transfer, std::shared_ptr<Connection> reusable) override {
    transfers_.erase(transfer.shared_from_this());
    if (!transfer.begun()) return;  // `waiting` drops it when it is its turn
    Host& host = host_of(transfer);
    --host.busy;
    if (closed_) return;
    if (reusable) keep(transfer, host, std::move(reusable));
    while (!host.waiting.empty()) {
      const auto next = host.waiting.front().lock();
      host.waiting.pop_front();
      if (next && !next->over()) return begin(*next, host);
    }
  }

  // Nothing comes over a connection that nobody uses but its end.
  void keep(const Transfer& transfer, Host& host, std::shared_ptr<Connection> connection) {
    connection->idle = true;
    connection->socket.async_wait(Transfer::Tcp::socket::wait_read,
                                  [self = shared_from_this(), weak = std::weak_ptr(connection),
                                   key = key_of(transfer)](const Transfer::SystemError& error) {
                                    const auto closed = weak.lock();
                                    if (!error && closed && closed->idle) self->forget(key, closed);
                                  });
    host.idle.push_back(std::move(connection));
  }
  void forget(const Key& key, const std::shared_ptr<Connection>& connection) {
    const auto found = hosts_.find(key);
    if (found == hosts_.end()) return;
    Host& host = found->second;
    std::erase(host.idle, connection);
    if (host.idle.empty() && host.waiting.empty() && host.busy == 0) hosts_.erase(found);
  }

  const ClientSettings settings_;
  boost::asio::io_context& io_;
  std::map<Key, Host> hosts_;
  std::unordered_set<std::shared_ptr<Transfer>> transfers_;
  bool closed_ = false;
};

Client::Client(ClientSettings settings)
    : settings_(settings), hosts_(std::make_shared<Hosts>(settings)) {}

Client::~Client() { hosts_->close(); }

ExchangeAwait Client::send(Request&& request) const {
  check_words(request);
  const Context& serving = context();
  if (serving.trace.present()) {
    request.headers.emplace_back("traceparent", serving.trace.traceparent());
  }
  auto exchange = std::make_shared<Exchange>(std::move(request));
  exchange->deadline_ns = earlier(
      serving.deadline_ns, after(now_ns(), std::chrono::nanoseconds(settings_.timeout).count()));
  return {hosts_, std::move(exchange)};
}

}  // namespace penstock::http_client
