#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "penstock/base/time.hpp"
#include "penstock/net/remote/discovery/finder.hpp"

namespace penstock::net {

/// The processes behind the name of a host: one at each of its addresses. It is looked up again and
/// again while somebody asks, on a thread of its own, as that may take long.
class Lookup final : public Finder {
 public:
  /// The addresses of a host, as numbers. Throws std::runtime_error, whose text says why there are
  /// none.
  using Ask = std::function<std::vector<std::string>(const std::string& host)>;

  /// `udp`: they are spoken to in datagrams.
  Lookup(const std::string& host, std::uint16_t port, bool udp)
      : Lookup(host, port, udp, &addresses_of) {}
  Lookup(const std::string& host, std::uint16_t port, bool udp, Ask ask);

  /// Those of the last lookup that found some.
  [[nodiscard]] std::vector<Directory::Instance> instances() override;
  [[nodiscard]] std::string why_none() const override;
  /// Whose a name is is said by a key alone.
  [[nodiscard]] Transport transport() const noexcept override;

  /// Asks the system (getaddrinfo(3)).
  [[nodiscard]] static std::vector<std::string> addresses_of(const std::string& host);

 private:
  /// An address that is gone is asked until its link breaks; a new one is found after so long.
  static constexpr Nanos kEvery = 5'000'000'000;
  static constexpr Nanos kAgain = 500'000'000;
  struct State;

  static void look(State& state) noexcept;

  std::shared_ptr<State> state_;  // outlived by a lookup that takes long
};

}  // namespace penstock::net
