#include "penstock/flow/source/rate_source.hpp"

namespace penstock::flow {

bool RateSource::emit_next() noexcept {
  if (handler_ == nullptr) make_handler();
  Event* event = nullptr;
  try {
    if (handler_ == nullptr) throw Error(ErrorCode::unavailable, "the source cannot be made");
    event = &flow().make_event();
    type_.make(handler_, sequence_++, *event);
  } catch (...) {
    if (event != nullptr) flow().free_event(*event);
    flow().count_failed_source();
    return true;
  }
  emit(*event);
  return true;
}

void RateSource::make_handler() noexcept {
  try {
    handler_ = type_.create();
    if (wire_ != nullptr) wire_(handler_, wire_context_);
  } catch (...) {
    // Tried again at the next event.
    if (handler_ != nullptr) type_.destroy(std::exchange(handler_, nullptr));
  }
}

void RateSource::ended() noexcept {
  if (handler_ != nullptr) type_.destroy(std::exchange(handler_, nullptr));
}

}  // namespace penstock::flow
