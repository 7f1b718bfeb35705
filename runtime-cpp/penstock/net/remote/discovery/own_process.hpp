#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "penstock/net/remote/discovery/finder.hpp"

namespace penstock::net {

/// This process, as the one of its binary that its own code finds: where it listens itself,
/// whatever others are told.
class OwnProcess final : public Finder {
 public:
  /// `port` outlives it; 0: it does not listen yet.
  OwnProcess(std::string host, Transport how, const std::atomic<std::uint16_t>& port)
      : host_(std::move(host)), how_(how), port_(port) {}

  [[nodiscard]] std::vector<Directory::Instance> instances() override {
    const std::uint16_t port = port_.load(std::memory_order_relaxed);
    if (port == 0) return {};
    return {Directory::drawn_at(Place::ip(host_, port, how_))};
  }
  [[nodiscard]] std::string why_none() const override { return "it does not listen yet"; }
  [[nodiscard]] Transport transport() const noexcept override { return how_; }

 private:
  const std::string host_;
  const Transport how_;
  const std::atomic<std::uint16_t>& port_;
};

}  // namespace penstock::net
