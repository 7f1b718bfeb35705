#include "penstock/net/remote/discovery/nats_discovery.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "penstock/base/error.hpp"
#include "penstock/base/quiet_thread.hpp"
#include "penstock/base/random.hpp"
#include "penstock/base/random_bytes.hpp"
#include "penstock/net/remote/discovery/lookup.hpp"
#include "penstock/net/remote/discovery/told_place.hpp"

namespace penstock::net {
namespace {

constexpr Nanos kMillisecond = 1'000'000;
constexpr Nanos kFirstPause = 50 * kMillisecond;
constexpr Nanos kLongestPause = 2'000 * kMillisecond;
constexpr Nanos kConnects = 2'000 * kMillisecond;
constexpr Nanos kLastWords = 1'000 * kMillisecond;
constexpr std::size_t kInboxBytes = 16;

std::string meaning_of(int error) { return std::generic_category().message(error); }

int until(Nanos time) noexcept {
  constexpr Nanos kLongest = 60'000;
  return static_cast<int>(std::clamp<Nanos>((time - now_ns()) / kMillisecond + 1, 0, kLongest));
}

}  // namespace

struct NatsDiscovery::State {
  State(Server its_server, const std::string& project, const std::string& its_binary)
      : server(std::move(its_server)),
        binary(its_binary),
        wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        roster(project, hex_of(random_bytes<kInboxBytes>()), server.forgotten) {
    if (!wake.is_open()) throw std::system_error(errno, std::generic_category(), "eventfd");
    std::memcpy(&seed, random_bytes<sizeof seed>().data(), sizeof seed);
  }
  void poke() const noexcept {
    const std::uint64_t one = 1;
    static_cast<void>(::write(wake.number(), &one, sizeof one));
  }
  void take_poke() const noexcept {
    std::uint64_t count = 0;
    static_cast<void>(::read(wake.number(), &count, sizeof count));
  }
  [[nodiscard]] std::string url() const {
    const bool is_six = server.host.find(':') != std::string::npos;
    return "nats://" + (is_six ? "[" + server.host + "]" : server.host) + ":" +
           std::to_string(server.port);
  }
  [[nodiscard]] nats::Session* ready_session() noexcept {
    return session && session->is_ready() ? &*session : nullptr;
  }

  const Server server;
  const std::string binary;
  const Descriptor wake;
  std::uint64_t seed = 0;  // of the pauses: processes do not come back all at once

  std::mutex mutex;  // of all that follows
  std::condition_variable changed;
  nats::Roster roster;
  std::optional<nats::Session> session;
  std::string why = "is being connected to";
  bool was_ready = false;
  bool stops = false;
  bool looks_up = false;  // which may take long
  bool left = false;
};

/// The processes of one binary.
class NatsDiscovery::Found final : public Finder {
 public:
  Found(std::shared_ptr<State> state, std::size_t watched, Transport how)
      : state_(std::move(state)), watched_(watched), how_(how) {}

  std::vector<Directory::Instance> instances() override {
    std::vector<Directory::Instance> found;
    for (nats::Announcement& each : members()) {
      for (const std::string& address : each.addresses) {
        const std::optional<Place> place = usable(address);
        if (!place) continue;
        found.push_back({std::move(each.instance), *place});
        break;
      }
    }
    return found;
  }
  std::string why_none() const override {
    const std::vector<nats::Announcement> members = this->members();
    const std::lock_guard lock(state_->mutex);
    std::string text = state_->url();
    if (!members.empty() && !members.front().addresses.empty()) {
      return text + ": it announces itself at " + members.front().addresses.front() +
             ", where this binary may not call it";
    }
    const nats::Session* const session = state_->ready_session();
    if (session == nullptr) return text + ": " + state_->why;
    if (!session->why().empty()) return text + " " + session->why();
    return text + ": no process of it has announced itself";
  }
  Transport transport() const noexcept override { return how_; }

 private:
  [[nodiscard]] std::vector<nats::Announcement> members() const {
    const std::lock_guard lock(state_->mutex);
    return state_->roster.members(watched_);
  }
  [[nodiscard]] std::optional<Place> usable(const std::string& address) const {
    const std::string scheme = std::string(name_of(how_)) + "://";
    if (!address.starts_with(scheme)) return std::nullopt;
    try {
      return told_place(address.substr(scheme.size()), how_);
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }

  const std::shared_ptr<State> state_;
  const std::size_t watched_;
  const Transport how_;
};

NatsDiscovery::NatsDiscovery(Server server, const std::string& project, const std::string& binary)
    : state_(std::make_shared<State>(std::move(server), project, binary)) {}

NatsDiscovery::~NatsDiscovery() {
  if (!thread_.joinable()) return;
  std::unique_lock lock(state_->mutex);
  state_->stops = true;
  state_->poke();
  state_->changed.wait(lock, [this] { return state_->left || state_->looks_up; });
  const bool left = state_->left;
  lock.unlock();
  if (left) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

std::unique_ptr<Finder> NatsDiscovery::find(const std::string& binary, Transport how) {
  const std::lock_guard lock(state_->mutex);
  return std::make_unique<Found>(state_, state_->roster.watch(binary), how);
}

void NatsDiscovery::start() {
  thread_ = start_quiet_thread("nats", [state = state_] { hold(*state); });
}

void NatsDiscovery::announce(const std::string& binary, const std::string& instance,
                             std::vector<nats::Roster::Door> doors) {
  const std::lock_guard lock(state_->mutex);
  state_->roster.announce(binary, instance, std::move(doors), state_->ready_session(), now_ns());
  state_->poke();
}

void NatsDiscovery::withdraw() noexcept {
  try {
    const std::lock_guard lock(state_->mutex);
    state_->roster.withdraw(state_->ready_session());
    state_->poke();
  } catch (const std::bad_alloc&) {
    // It is forgotten after a while.
  }
}

// --- its thread ---

void NatsDiscovery::hold(State& state) noexcept {
  seed_random(state.seed);
  Nanos pause = kFirstPause;
  for (;;) {
    std::string why;
    try {
      talk(state, connected(state));
    } catch (const std::exception& error) {
      why = error.what();
    }
    {
      const std::lock_guard lock(state.mutex);
      state.session.reset();
      if (!why.empty()) state.why = std::move(why);
      if (state.stops) {
        state.left = true;
        state.changed.notify_all();
        return;
      }
      if (std::exchange(state.was_ready, false)) pause = kFirstPause;
    }
    rest(state, 1 + random_below(static_cast<std::uint32_t>(pause)));
    pause = std::min(pause * 2, kLongestPause);
  }
}

void NatsDiscovery::rest(State& state, Nanos pause) {
  const Nanos end = now_ns() + pause;
  for (;;) {
    {
      const std::lock_guard lock(state.mutex);
      if (state.stops || now_ns() >= end) return;
    }
    pollfd woken{.fd = state.wake.number(), .events = POLLIN, .revents = 0};
    if (poll(&woken, 1, until(end)) > 0) state.take_poke();
  }
}

Descriptor NatsDiscovery::connected(State& state) {
  try {
    return connected_at(state, Place::tcp(state.server.host, state.server.port));
  } catch (const Error&) {
    // It is a name.
  }
  const auto looks_up = [&state](bool looks) {
    const std::lock_guard lock(state.mutex);
    state.looks_up = looks;
    state.changed.notify_all();
  };
  std::vector<std::string> numbers;
  looks_up(true);
  try {
    numbers = Lookup::addresses_of(state.server.host);
  } catch (...) {
    looks_up(false);
    throw;
  }
  looks_up(false);
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    try {
      return connected_at(state, Place::tcp(numbers[at], state.server.port));
    } catch (const Error&) {
      // One of this link alone, as fe80::1%eth0.
    } catch (const std::runtime_error&) {
      if (at + 1 == numbers.size()) throw;
    }
  }
  throw std::runtime_error("it has no address that others reach");
}

Descriptor NatsDiscovery::connected_at(State& state, const Place& place) {
  Descriptor socket = place.connect();
  const Nanos end = now_ns() + kConnects;
  for (;;) {
    std::array<pollfd, 2> ready{pollfd{.fd = socket.number(), .events = POLLOUT, .revents = 0},
                                pollfd{.fd = state.wake.number(), .events = POLLIN, .revents = 0}};
    poll(ready.data(), ready.size(), until(end));
    state.take_poke();
    if (ready[0].revents != 0) break;
    const std::lock_guard lock(state.mutex);
    if (state.stops || now_ns() >= end) throw std::runtime_error("does not answer");
  }
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) throw std::runtime_error(meaning_of(error));
  return socket;
}

void NatsDiscovery::talk(State& state, const Descriptor& socket) {
  const auto begin = [&state, &socket]() -> nats::Session& {
    const std::lock_guard lock(state.mutex);
    state.roster.held_from(own_host(socket));
    return state.session.emplace(state.roster, state.server.login, state.binary, now_ns());
  };
  nats::Session& session = begin();
  Nanos last_words = 0;
  for (;;) {
    std::array<pollfd, 2> ready{pollfd{.fd = socket.number(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = state.wake.number(), .events = POLLIN, .revents = 0}};
    Nanos next = 0;
    {
      const std::lock_guard lock(state.mutex);
      const Nanos now = now_ns();
      session.look(now);
      if (session.is_ready()) {
        state.was_ready = true;
        state.roster.look(session, now);
      }
      if (session.is_over()) throw std::runtime_error(session.why());
      const bool sent = write(session, socket);
      next = session.next_look();
      if (session.is_ready()) next = std::min(next, state.roster.next_look());
      if (state.stops) {
        if (last_words == 0) last_words = now + kLastWords;
        if (sent || !session.is_ready() || now >= last_words) return;
        next = last_words;
      }
      if (!sent) ready[0].events |= POLLOUT;
    }
    poll(ready.data(), ready.size(), until(next));
    state.take_poke();
    if ((ready[0].revents & ~POLLOUT) != 0 && !read(state, session, socket))
      throw std::runtime_error("has ended the connection");
  }
}

// False: there is more than the socket takes.
bool NatsDiscovery::write(nats::Session& session, const Descriptor& socket) {
  std::string& unsent = session.outgoing();
  while (!unsent.empty()) {
    const ssize_t count = send(socket.number(), unsent.data(), unsent.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
    if (count < 0) throw std::runtime_error(meaning_of(errno));
    unsent.erase(0, static_cast<std::size_t>(count));
  }
  return true;
}

bool NatsDiscovery::read(State& state, nats::Session& session, const Descriptor& socket) {
  constexpr std::size_t kAtOnce = std::size_t{16} << 10U;
  std::array<char, kAtOnce> bytes{};
  const ssize_t count = recv(socket.number(), bytes.data(), bytes.size(), 0);
  if (count < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return true;
    throw std::runtime_error(meaning_of(errno));
  }
  const std::lock_guard lock(state.mutex);
  session.receive({bytes.data(), static_cast<std::size_t>(count)}, now_ns());
  return count != 0;
}

}  // namespace penstock::net
