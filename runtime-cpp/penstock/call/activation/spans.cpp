#include "penstock/call/activation/spans.hpp"

namespace penstock::call {

std::uint16_t Spans::add(const Span& span) noexcept {
  const std::lock_guard hold(mutex_);
  if (spans_.size() >= kMost) return kNone;
  try {
    spans_.push_back(span);
  } catch (...) {
    return kNone;  // a figure less, the event goes on
  }
  return static_cast<std::uint16_t>(spans_.size() - 1);
}

void Spans::begin(std::uint16_t span, const exec::Worker& worker, Nanos at) noexcept {
  const std::lock_guard hold(mutex_);
  spans_[span].worker = &worker;
  spans_[span].begun_ns = at;
}

void Spans::end(std::uint16_t span, Nanos at, bool failed) noexcept {
  const std::lock_guard hold(mutex_);
  spans_[span].ended_ns = at;
  spans_[span].failed = failed;
}

std::vector<Spans::Span> Spans::read() const {
  const std::lock_guard hold(mutex_);
  return spans_;
}

}  // namespace penstock::call
