#include "penstock/net/remote/discovery/lookup.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "penstock/base/one_host.hpp"
#include "penstock/base/quiet_thread.hpp"

namespace penstock::net {

struct Lookup::State {
  std::string host;
  std::uint16_t port = 0;
  Transport how;
  Ask ask;

  std::mutex mutex;
  std::vector<Directory::Instance> found;
  std::string why = "is being looked up";
  Nanos asked = 0;
  bool asks = false;
};

Lookup::Lookup(const std::string& host, std::uint16_t port, bool udp, Ask ask)
    : state_(std::make_shared<State>()) {
  state_->host = host;
  state_->port = port;
  state_->how = {.udp = udp, .secured = true};
  state_->ask = std::move(ask);
}

std::vector<Directory::Instance> Lookup::instances() {
  const std::lock_guard lock(state_->mutex);
  const Nanos pause = state_->found.empty() ? kAgain : kEvery;
  const Nanos now = now_ns();
  if (!state_->asks && (state_->asked == 0 || now - state_->asked >= pause)) {
    state_->asked = now;
    try {
      start_quiet_thread("lookup", [state = state_] { look(*state); }).detach();
      state_->asks = true;
    } catch (const std::system_error&) {
      state_->why = "cannot be looked up: there is no thread for that";
    }
  }
  return state_->found;
}

Transport Lookup::transport() const noexcept { return state_->how; }

std::string Lookup::why_none() const {
  const std::lock_guard lock(state_->mutex);
  return state_->host + ": " + state_->why;
}

void Lookup::look(State& state) noexcept {
  std::vector<Directory::Instance> found;
  std::string why;
  try {
    for (const std::string& address : state.ask(state.host)) {
      // Not at one of a link alone, as fe80::1%eth0, nor of several hosts.
      if (is_one_host(address))
        found.push_back(Directory::drawn_at(Place::ip(address, state.port, state.how)));
    }
    why = "it has no address that others reach";
  } catch (const std::exception& error) {
    why = error.what();
  }
  const std::lock_guard lock(state.mutex);
  // Who cannot be asked for a while has not gone.
  if (!found.empty()) state.found = std::move(found);
  state.why = std::move(why);
  state.asks = false;
}

std::vector<std::string> Lookup::addresses_of(const std::string& host) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_ADDRCONFIG;
  addrinfo* first = nullptr;
  if (const int error = getaddrinfo(host.c_str(), nullptr, &wanted, &first); error != 0)
    throw std::runtime_error(gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(first, &freeaddrinfo);
  std::vector<std::string> numbers;
  for (const addrinfo* each = first; each != nullptr; each = each->ai_next) {
    std::array<char, NI_MAXHOST> number{};
    if (getnameinfo(each->ai_addr, each->ai_addrlen, number.data(), number.size(), nullptr, 0,
                    NI_NUMERICHOST) != 0)
      continue;
    if (std::find(numbers.begin(), numbers.end(), number.data()) == numbers.end())
      numbers.emplace_back(number.data());
  }
  return numbers;
}

}  // namespace penstock::net
