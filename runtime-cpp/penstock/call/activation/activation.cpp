#include "penstock/call/activation/activation.hpp"

#include "penstock/call/frame/frame.hpp"

namespace penstock::call {

constinit thread_local Turn t_turn{};

}  // namespace penstock::call

namespace penstock {

const Context& context() noexcept {
  static const Context none;
  const call::Activation* activation = call::current_activation();
  return activation != nullptr ? activation->context : none;
}

bool cancelled() noexcept {
  const call::Activation* activation = call::current_activation();
  if (activation == nullptr) return false;
  const call::Frame* const asked = activation->cause.call();
  if (asked != nullptr && asked->dropped.load(std::memory_order_relaxed)) return true;
  const Nanos deadline = activation->context.deadline_ns;
  return deadline != 0 && now_ns() >= deadline;
}

}  // namespace penstock
