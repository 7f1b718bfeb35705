#pragma once

#include <cstdint>

#include "penstock/flow/source/paced_source.hpp"
#include "penstock/flow/source/source_reader.hpp"

namespace penstock::flow {

/// Makes the events of a flow at a steady rate, by the user's code.
class RateSource final : public PacedSource {
 public:
  /// What registration knows about the user's generator class.
  struct Type {
    void* (*create)() = nullptr;
    void (*destroy)(void* handler) noexcept = nullptr;
    /// Puts the next event's value into `event`. Throws what the user's code throws.
    void (*make)(void* handler, std::uint64_t sequence, Event& event) = nullptr;
  };

  struct Settings {
    double per_second = 0;
  };
  [[nodiscard]] static Settings read_from(SourceReader& in) {
    return {in.rate("perSecond", true).value_or(0)};
  }

  RateSource(Flow& flow, Type type, double per_second)
      : PacedSource(flow, per_second), type_(type) {}
  RateSource(const RateSource&) = delete;
  RateSource& operator=(const RateSource&) = delete;
  /// Stops.
  ~RateSource() override { stop_for_good(); }

  [[nodiscard]] std::string_view kind() const noexcept override { return "rate"; }
  /// What gives the handler its shared state; before start().
  void add_wiring(void (*wire)(void* handler, void* context), void* context) {
    wire_ = wire;
    wire_context_ = context;
  }

 private:
  [[nodiscard]] bool emit_next() noexcept override;
  void ended() noexcept override;
  void make_handler() noexcept;

  const Type type_;
  void (*wire_)(void*, void*) = nullptr;
  void* wire_context_ = nullptr;
  void* handler_ = nullptr;  // made by its thread at its first event
  std::uint64_t sequence_ = 0;
};

}  // namespace penstock::flow
