#include "penstock/call/activation/activation.hpp"

namespace penstock::call {

constinit thread_local Turn t_turn{};

}  // namespace penstock::call

namespace penstock {

const Context& context() noexcept {
  static const Context none;
  const call::Activation* activation = call::current_activation();
  return activation != nullptr ? activation->context : none;
}

}  // namespace penstock
