#include "penstock/http_client/transfers.hpp"

#include <sys/epoll.h>

#include <new>
#include <utility>

#include "penstock/base/time.hpp"

namespace penstock::http_client {
namespace {

/// Handles kept for later exchanges: each has buffers.
constexpr std::size_t kMostSpare = 64;

CURLM* new_multi() {
  // Once a process; never undone, as the I/O thread never ends.
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM* const multi = started == CURLE_OK ? curl_multi_init() : nullptr;
  if (multi == nullptr) throw std::bad_alloc();
  return multi;
}

}  // namespace

Transfers::Transfers(const ClientSettings& settings)
    : settings_(settings), io_(IoThread::of_process()), multi_(new_multi()) {
  CURLM* const multi = multi_.get();
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &on_socket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &on_timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, static_cast<long>(settings.connections));
  // Kept open for all hosts together.
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, static_cast<long>(settings.connections) * 4);
  spare_.reserve(kMostSpare);
  look_.owner = this;
  closing_.owner = this;
}

template <void (Transfers::*ask)(const std::shared_ptr<Exchange>&) noexcept>
void Transfers::send(Exchange::Errand& errand, const std::shared_ptr<Exchange>& exchange) noexcept {
  errand.carrier = shared_from_this();
  errand.exchange = exchange;
  errand.run = [](exec::Job& job) noexcept {
    auto& arrived = static_cast<Exchange::Errand&>(job);
    const std::shared_ptr<Carrier> self = std::move(arrived.carrier);
    const std::shared_ptr<Exchange> of = std::move(arrived.exchange);
    (static_cast<Transfers&>(*self).*ask)(of);
  };
  io_.post(errand);
}

void Transfers::start(std::shared_ptr<Exchange> exchange) noexcept {
  send<&Transfers::take>(exchange->start, exchange);
}

void Transfers::cancel(std::shared_ptr<Exchange> exchange) noexcept {
  send<&Transfers::drop>(exchange->cancel, exchange);
}

void Transfers::close() noexcept {
  closing_.run = [](exec::Job& job) noexcept {
    auto& closing = static_cast<Closing&>(job);
    closing.owner->leave();
    closing.closed.set_value();
  };
  io_.post(closing_);
  closing_.closed.get_future().wait();
}

void Transfers::leave() noexcept {
  end_all(ErrorCode::cancelled, "its client is gone");
  spare_.clear();
  multi_.reset();
  look_.cancel();
  io_.leave(*this);
}

void Transfers::end_all(ErrorCode code, std::string_view message) noexcept {
  while (!transfers_.empty()) end_with(*transfers_.begin()->second, code, message);
}

void Transfers::drop(const std::shared_ptr<Exchange>& exchange) noexcept {
  const auto found = transfers_.find(exchange.get());
  if (found == transfers_.end()) return;
  end_with(*found->second, ErrorCode::cancelled, "nobody waits for the answer any more");
}

void Transfers::take(const std::shared_ptr<Exchange>& exchange) noexcept {
  Transfer* taken = nullptr;
  try {
    if (multi_ == nullptr) throw Error(ErrorCode::cancelled, "its client is gone");
    Easy easy;
    if (spare_.empty()) {
      easy = Transfer::new_easy(settings_);
    } else {
      easy = std::move(spare_.back());
      spare_.pop_back();
    }
    auto made = std::make_unique<Transfer>(std::move(easy), exchange, settings_);
    taken = transfers_.emplace(exchange.get(), std::move(made)).first->second.get();
  } catch (...) {
    exchange->error = Error::current();
    return arrive(exchange);
  }
  Transfer& transfer = *taken;
  transfer.deadline().transfer = &transfer;
  transfer.deadline().carrier = this;
  io_.timers().arm(transfer.deadline(), exchange->deadline_ns, &on_late);
  // No memory, say: its deadline would be all that ends it.
  if (curl_multi_add_handle(multi_.get(), transfer.easy()) != CURLM_OK) {
    end_with(transfer, ErrorCode::unavailable, "it cannot be asked now");
  }
}

void Transfers::ready(int socket, std::uint32_t events) noexcept {
  int seen = 0;
  if ((events & EPOLLIN) != 0) seen |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) seen |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) seen |= CURL_CSELECT_ERR;
  act(socket, seen);
}

void Transfers::go_on() noexcept { act(CURL_SOCKET_TIMEOUT, 0); }

void Transfers::act(curl_socket_t socket, int events) noexcept {
  if (multi_ == nullptr) return;
  int running = 0;
  const CURLMcode acted = curl_multi_socket_action(multi_.get(), socket, events, &running);
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    // Removing the handle takes the message away.
    const CURLcode result = message->data.result;
    Transfer& transfer = Transfer::of(message->easy_handle);
    transfer.conclude(result);
    end(transfer);
  }
  // From now on libcurl fails whatever is under way, but each only when it would go on.
  if (acted == CURLM_ABORTED_BY_CALLBACK) {
    end_all(ErrorCode::unavailable, "its connection cannot be watched");
  }
}

void Transfers::end_with(Transfer& transfer, ErrorCode code, std::string_view message) noexcept {
  transfer.fail(code, message);
  end(transfer);
}

void Transfers::end(Transfer& transfer) noexcept {
  curl_multi_remove_handle(multi_.get(), transfer.easy());
  const std::shared_ptr<Exchange> exchange = transfer.exchange();
  auto gone = transfers_.extract(exchange.get());
  // A handle counts how often it tried again, and gives up at the fifth time of its life.
  if (spare_.size() < kMostSpare && !transfer.tried_again()) {
    spare_.push_back(transfer.take_easy());
  }
  arrive(exchange);
}

int Transfers::on_socket(CURL* /*easy*/, curl_socket_t socket, int what, void* self,
                         void* /*of_socket*/) {
  auto& transfers = *static_cast<Transfers*>(self);
  if (what == CURL_POLL_REMOVE) {
    transfers.io_.forget(socket);
    return 0;
  }
  std::uint32_t events = 0;
  if ((what & CURL_POLL_IN) != 0) events |= EPOLLIN;
  if ((what & CURL_POLL_OUT) != 0) events |= EPOLLOUT;
  try {
    transfers.io_.watch(socket, events, transfers);
  } catch (const std::exception&) {
    return -1;  // what is under way fails
  }
  return 0;
}

int Transfers::on_timer(CURLM* /*multi*/, long ms, void* self) {
  auto& transfers = *static_cast<Transfers*>(self);
  transfers.look_.cancel();
  // Not from here: libcurl does not stand being called by what it calls.
  if (ms == 0) {
    transfers.io_.hurry(transfers);
  } else if (ms > 0) {
    transfers.io_.timers().arm(
        transfers.look_, now_ns() + Nanos{ms} * 1'000'000,
        [](exec::Timer& timer) noexcept { static_cast<Look&>(timer).owner->go_on(); });
  }
  return 0;
}

void Transfers::on_late(exec::Timer& timer) noexcept {
  const auto& late = static_cast<Transfer::Deadline&>(timer);
  Transfer& transfer = *late.transfer;
  static_cast<Transfers&>(*late.carrier)
      .end_with(transfer, ErrorCode::deadline_exceeded,
                transfer.begun() ? "did not answer in time" : "no connection before the deadline");
}

}  // namespace penstock::http_client
