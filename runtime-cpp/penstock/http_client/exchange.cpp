#include "penstock/http_client/exchange.hpp"

#include <utility>

namespace penstock::http_client {

void arrive(const std::shared_ptr<Exchange>& exchange) noexcept {
  if (exec::Worker* const home = exchange->home) {
    exchange->self = exchange;
    home->post_as_visitor(*exchange);
    return;
  }
  // Release: the answer is visible to the thread that wakes.
  exchange->arrived.store(true, std::memory_order_release);
  exchange->arrived.notify_one();
}

bool ExchangeAwait::await_ready() {
  const call::Activation* const running = call::current_activation();
  if (exec::Worker::current() != nullptr && (running == nullptr || !running->may_block)) {
    return false;
  }
  carrier_->start(exchange_);
  exchange_->arrived.wait(false, std::memory_order_acquire);
  return true;
}

void ExchangeAwait::await_suspend(std::coroutine_handle<> awaiting) {
  exec::Worker* const worker = exec::Worker::current();
  exchange_->home = worker;
  exchange_->run = &on_arrived;
  carrier_->start(exchange_);
  // The answer comes as a job to this very thread: not before we are done here.
  worker->hold();
  exchange_->awaiting = this;
  stop_here(awaiting, &on_interrupt);
}

void ExchangeAwait::on_arrived(exec::Job& job) noexcept {
  const std::shared_ptr<Exchange> exchange = std::move(static_cast<Exchange&>(job).self);
  exec::Worker::current()->let_go();
  if (ExchangeAwait* const awaiting = std::exchange(exchange->awaiting, nullptr)) {
    awaiting->resume();
  }
}

void ExchangeAwait::abandon() noexcept {
  // Destroyed or interrupted while suspended: the answer finds nobody.
  if (exchange_ == nullptr || exchange_->awaiting == nullptr) return;
  exchange_->awaiting = nullptr;
  carrier_->cancel(exchange_);
}

void ExchangeAwait::on_interrupt(call::Suspended& suspended) noexcept {
  auto& self = static_cast<ExchangeAwait&>(suspended);
  self.abandon();
  self.cancelled_ = true;
  self.resume();
}

Response ExchangeAwait::await_resume() {
  if (cancelled_) {
    throw Error(ErrorCode::cancelled, "nobody waits for this request any more");
  }
  const std::optional<Error>& error = exchange_->error;
  if (error) throw Error(*error);
  return std::move(exchange_->response);
}

}  // namespace penstock::http_client
