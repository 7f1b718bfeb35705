#pragma once

#include <atomic>

#include "penstock/flow/source/source.hpp"
#include "penstock/flow/source/source_reader.hpp"

namespace penstock::flow {

/// Takes the events that handlers push.
class ServiceSource final : public Source {
 public:
  /// It has none.
  struct Settings {};
  [[nodiscard]] static Settings read_from(SourceReader& /*in*/) { return {}; }

  explicit ServiceSource(Flow& flow) noexcept : Source(flow) {}

  [[nodiscard]] std::string_view kind() const noexcept override { return "service"; }
  // What handlers push while the binary drains is still taken, as long as a handler runs: the drain
  // waits for it, too.
  void start(unsigned /*index*/) override {}
  void ask_to_stop() noexcept override {}
  bool stop(Nanos /*deadline*/) noexcept override { return true; }

  /// Throws Error(unavailable) where `source` is null.
  [[nodiscard]] static Flow& flow_of(ServiceSource* source);
};

}  // namespace penstock::flow
