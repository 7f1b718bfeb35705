#include "penstock/net/remote/calls/client.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "penstock/base/random.hpp"
#include "penstock/call/service/service.hpp"
#include "penstock/net/remote/calls/replica.hpp"
#include "penstock/net/socket/datagrams.hpp"
#include "penstock/net/socket/rings.hpp"

namespace penstock::net {
namespace {

/// Two different ones, drawn.
std::pair<std::uint32_t, std::uint32_t> two_below(std::uint32_t bound) noexcept {
  const std::uint32_t one = random_below(bound);
  const std::uint32_t other = random_below(bound - 1);
  return {one, other >= one ? other + 1 : other};
}

/// Without memory for it, none.
template <class Text>
std::string text_of(const Text& text) noexcept {
  try {
    return text();
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace

Client& Client::here(Peer& peer) {
  exec::Worker& worker = *exec::Worker::current();
  if (void* const known = worker.object(peer.slot)) return *static_cast<Client*>(known);
  const auto make = [](const void* from) -> void* {
    return new Client(*static_cast<Peer*>(const_cast<void*>(from)));
  };
  return *static_cast<Client*>(
      call::keep_on(worker, peer.slot, make, &peer,
                    [](void* client) noexcept { delete static_cast<Client*>(client); }));
}

Client::Client(Peer& peer)
    : peer_(peer),
      worker_(*exec::Worker::current()),
      waiting_(peer.self.wanted.size()),
      open_rows_(peer.self.wanted.size()) {
  look_.client = this;
  reap_.client = this;
  reap_.run = [](exec::Job& job) noexcept { static_cast<Reap&>(job).client->reap(); };
}

Client::~Client() = default;

bool Client::waits() const noexcept {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [](const Waiting& each) { return !each.empty(); });
}

bool Client::is_taken(std::size_t outlet) const noexcept {
  return std::any_of(replicas_.begin(), replicas_.end(),
                     [outlet](const auto& replica) { return replica->takes(outlet); });
}

bool Client::is_reached() const noexcept {
  return std::any_of(replicas_.begin(), replicas_.end(),
                     [](const auto& replica) { return replica->is_open(); });
}

void Client::send(RemoteCall& call) noexcept {
  begin(call);
  const std::size_t outlet = call.service().outlet;
  open_rows_[outlet] = nullptr;  // what comes behind it comes back behind it
  try {
    // Behind those who came before it. Where values divide them none of the same process waits
    // while that one takes any.
    const bool divided = call.service().type->key != nullptr;
    if (divided && moved_) send_moved();
    Replica* const replica = divided || waiting_[outlet].empty() ? choose(call) : nullptr;
    if (replica != nullptr && send_to(*replica, call) != Sending::not_now) {
      if (!look_.armed()) arm(looked_ + kLookForReplicas);
      return;
    }
  } catch (const std::bad_alloc&) {
    call.fail(ErrorCode::resource_exhausted, "there is no memory for it");
    return;
  }
  wait_until_taken(call);
}

void Client::begin(Asking& call) noexcept {
  call.number = ++asked_;
  ++under_way_;
  used_ = true;
  if (leaves_) leaves_ = worker_.retiring();
}

void Client::send(RowCall& row) noexcept {
  begin(row);
  send_more(row);
}

void Client::send_more(RowCall& row) noexcept {
  used_ = true;
  if (row.waits != 0) {
    recount(row);
    return;
  }
  const std::size_t outlet = row.service().outlet;
  while (waiting_[outlet].empty()) {
    Replica* const replica = less_busy(outlet);
    if (replica == nullptr) break;
    // Of one that takes some, but not all, the next one may take the rest.
    const std::uint32_t unsent = row.unsent();
    if (row.send_over(*replica) == Sending::not_now) {
      if (row.unsent() == unsent) break;
      continue;
    }
    if (!look_.armed()) arm(looked_ + kLookForReplicas);
    return;
  }
  wait_until_taken(row);
}

bool Client::is_last(const RowCall& row) const noexcept {
  const Waiting& waiting = waiting_[row.service().outlet];
  return row.waits != 0 ? &waiting.back() == &row : waiting.empty();
}

void Client::wait_until_taken(Asking& call) noexcept {
  wait(call);
  const Nanos next = is_reached() ? call.waits_since + kUrgentLook : looked_ + kUrgentLook;
  arm(std::min(next, end_of(call)));
}

void Client::wait(Asking& call) noexcept {
  call.waits_since = now_ns();
  count_waiting(call);
  Waiting& waiting = waiting_[call.service().outlet];
  // What comes back from a link that broke, in whatever order, was asked before others.
  auto at = waiting.end();
  if (!waiting.empty() && waiting.back().number > call.number) {
    at = std::find_if(waiting.begin(), waiting.end(),
                      [&](const Asking& each) { return each.number > call.number; });
  }
  waiting.insert(at, call);
}

void Client::count_waiting(Asking& call) noexcept {
  call.keep_room();
  call.waits = call.unsent();
  peer_.figures.waiting.fetch_add(call.waits, std::memory_order_relaxed);
}

// Of one that waits, and has more, or less, that does.
void Client::recount(Asking& call) noexcept {
  call.change_room();
  waits_no_more(call);
  call.waits = call.unsent();
  peer_.figures.waiting.fetch_add(call.waits, std::memory_order_relaxed);
}

void Client::wait_again(RowCall& row) noexcept {
  if (row.waits != 0) return recount(row);
  wait(row);
  used_ = true;
  arm(row.waits_since);
}

Replica* Client::choose(const Asking& call) noexcept {
  const RemoteService& service = call.service();
  if (service.type->key == nullptr) return less_busy(service.outlet);
  Replica* const replica = of_value(call.key(), service.outlet);
  return replica != nullptr && replica->takes(service.outlet) ? replica : nullptr;
}

// Also one that is still being greeted: while a thread's first links open, its values do not move.
// Nor do they where it rests: they would be in two processes.
Replica* Client::of_value(std::uint64_t key, std::size_t outlet) noexcept {
  Replica* found = nullptr;
  std::uint64_t most = 0;
  for (const auto& replica : replicas_) {
    if (!replica->may_have(outlet)) continue;
    const std::uint64_t weight = replica->weight(key);
    if (found != nullptr && weight <= most) continue;
    found = replica.get();
    most = weight;
  }
  return found;
}

Replica* Client::less_busy(std::size_t outlet) noexcept {
  // Two of those that take it, drawn, and of them the one with less to do. Those that rest only
  // where no other one takes it. Mostly all take it: then there is no need to look at each.
  const auto less = [](Replica* one, Replica* other) {
    return one->link().sent_calls() <= other->link().sent_calls() ? one : other;
  };
  if (const auto all = static_cast<std::uint32_t>(replicas_.size()); all > 1) {
    const auto [one, other] = two_below(all);
    Replica* const first = replicas_[one].get();
    Replica* const second = replicas_[other].get();
    if (first->takes(outlet) && second->takes(outlet) && !first->rests() && !second->rests())
      return less(first, second);
  }
  std::uint32_t takers = 0;
  std::uint32_t rest = 0;
  for (const auto& replica : replicas_) {
    if (!replica->takes(outlet)) continue;
    ++takers;
    if (replica->rests()) ++rest;
  }
  const bool any = rest == takers;
  if (!any) takers -= rest;
  if (takers == 0) return nullptr;
  const auto draw = [&](std::uint32_t place) {
    for (const auto& replica : replicas_) {
      if (replica->takes(outlet) && (any || !replica->rests()) && place-- == 0)
        return replica.get();
    }
    return static_cast<Replica*>(nullptr);
  };
  if (takers == 1) return draw(0);
  const auto [one, other] = two_below(takers);
  return less(draw(one), draw(other));
}

Sending Client::send_to(Replica& replica, RemoteCall& call) {
  const std::size_t outlet = call.service().outlet;
  if (call.service().only_looks) {
    call.end_well();
    return Sending::ended;
  }
  // A look at the clock costs as much as the rest of a small frame.
  const bool ends_in_time = call.frame().callee.activation.context.deadline_ns != 0;
  switch (replica.link().send(call, outlet, ends_in_time ? now_ns() : 0)) {
    case Link::Sent::yes:
      call.replica = &replica;
      call.give_room();
      replica.connection().attend();
      return Sending::sent;
    case Link::Sent::too_large:
      call.fail(ErrorCode::resource_exhausted,
                [this] { return "its request is larger than " + peer_.binary + " takes"; });
      return Sending::ended;
    case Link::Sent::not_offered:
      call.fail(ErrorCode::unimplemented,
                [&] { return peer_.binary + ": " + replica.link().outlet(outlet).why; });
      return Sending::ended;
    case Link::Sent::not_now:
      break;
  }
  return Sending::not_now;
}

void Client::send_moved() noexcept {
  moved_ = false;
  for (std::size_t outlet = 0; outlet < waiting_.size(); ++outlet) send_waiting(outlet);
}

void Client::send_waiting(std::size_t outlet) noexcept {
  Waiting& waiting = waiting_[outlet];
  for (auto at = waiting.begin(); at != waiting.end();) {
    Asking& call = *at;
    Replica* const replica = choose(call);
    if (replica == nullptr) {
      if (call.service().type->key == nullptr || !is_taken(outlet)) return;
      ++at;  // those behind it may be another process's
      continue;
    }
    at = waiting.erase(at);
    const std::uint32_t waited = call.unsent();
    waits_no_more(call);
    Sending became = Sending::ended;
    try {
      became = call.send_over(*replica);
    } catch (const std::bad_alloc&) {
      call.give_up(ErrorCode::resource_exhausted, "there is no memory for it");
    }
    if (became == Sending::not_now) {
      at = waiting.insert(at, call);
      recount(call);
      // Of one that takes some, but not all, the next one may take the rest.
      if (call.unsent() == waited) return;
      continue;
    }
    // Its end may have resumed others, which leave.
    if (became == Sending::ended) at = waiting.begin();
  }
}

void Client::cancel(RemoteCall& call) noexcept {
  Replica* const replica = std::exchange(call.replica, nullptr);
  if (replica == nullptr) {
    waiting_[call.service().outlet].erase(Waiting::s_iterator_to(call));
    waits_no_more(call);
    return;
  }
  // Nobody waits for it as it is too late: the process may hang.
  const call::Frame& frame = call.frame();
  const bool timed_out = frame.deadline_ns != 0 && now_ns() >= frame.deadline_ns;
  if (timed_out) replica->did(Replica::Did::ill);
  try {
    replica->link().cancel(call, timed_out || frame.late.load(std::memory_order_relaxed));
  } catch (const std::bad_alloc&) {
    // It is no call of the link's any more, and its answer finds nobody.
  }
  replica->connection().attend();
}

bool Client::lost(RemoteCall& call) noexcept {
  if (++call.losses > kSentAgain) return false;
  wait(call);
  used_ = true;
  arm(call.waits_since);
  return true;
}

void Client::ended() noexcept {
  if (--under_way_ != 0) return;
  look_.cancel();  // nobody is kept by it
  if (leaves_) close_if_unused();
}

// The next call opens another link, whose hello says what is there then.
void Client::is_gone(Replica& replica) noexcept {
  if (!peer_.is_resolved) return;
  static_cast<void>(let_go(replica));
  replica.retire();
  moved_ = true;
}

// --- who is there ---

void Client::arm(Nanos at) noexcept {
  if (look_.armed()) {
    if (looked_for_ <= at) return;
    look_.cancel();
  }
  looked_for_ = at;
  worker_.arm(look_, at,
              [](exec::Timer& timer) noexcept { static_cast<Look&>(timer).client->look(); });
}

void Client::look() noexcept {
  const Nanos now = now_ns();
  // Those that wait may wait for one that is not known yet, though no call was made since.
  const bool waiting = waits();
  try {
    if (used_ || (waiting && (!is_reached() || now >= listed_ + kLookForReplicas)))
      look_for_replicas(now);
  } catch (const std::bad_alloc&) {
    // Another time.
  } catch (const std::exception& error) {
    last_failure_ = error.what();
  }
  if (now > looked_ + kLongestPause && !waited_) unreached_since_ = 0;  // nobody needed one
  looked_ = now;
  used_ = false;
  send_moved();
  tell_if_down(now);
  give_up_waiting(now);
  waited_ = waits();
  if (waited_) {
    arm(std::min(now + kUrgentLook, next_end_));
  } else if (under_way_ != 0) {
    arm(now + kLookForReplicas);
  }
}

// Not while it is on its way to them. Calls may give up sooner, one after the other.
void Client::tell_if_down(Nanos now) noexcept {
  if (is_reached()) {
    unreached_since_ = 0;
    return;
  }
  if (unreached_since_ == 0 && waits()) unreached_since_ = now;
  if (unreached_since_ == 0 || now < unreached_since_ + kToldAfter) return;
  try {
    peer_.figures.is_down(why_unreached());
  } catch (const std::bad_alloc&) {
    // Another time.
  }
}

void Client::look_for_replicas(Nanos now) {
  listed_ = now;
  for (Known& known : known_) known.listed = false;
  for (Directory::Instance& instance : peer_.instances()) {
    const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& each) {
      return each.instance.id == instance.id;
    });
    if (known == known_.end()) {
      known_.push_back({.instance = std::move(instance)});
      continue;
    }
    known->listed = true;
    if (known->instance.place.text() == instance.place.text()) continue;
    // It has got another address: whoever has its old one may be nobody, or somebody else.
    retire(*known);
    *known = {.instance = std::move(instance)};
  }
  if (peer_.lists_all()) {
    for (Known& known : known_) {
      if (!known.listed) retire(known);
    }
  }
  std::erase_if(known_,
                [](const Known& known) { return !known.listed && known.replica == nullptr; });
  for (Known& known : known_) {
    if (known.listed && known.replica == nullptr && now >= known.not_before) connect(known, now);
  }
}

void Client::retire(Known& known) noexcept {
  if (known.replica == nullptr) return;
  std::exchange(known.replica, nullptr)->retire();
  moved_ = true;
}

void Client::connect(Known& known, Nanos now) {
  replicas_.reserve(replicas_.size() + 1);
  try {
    Descriptor socket = known.instance.place.connect();
    if (const Place& place = known.instance.place; place.is_secured() && !place.is_udp())
      notice_lost_hosts(socket, peer_.limits.host_lost);
    // Over IP that is not known before it has answered: Replica::opened().
    if (!known.instance.place.is_ip() && is_strangers(socket)) {
      last_failure_ = known.instance.place.text() + ": it is not known to be this user's";
      pause_after_failure(known, now);
      return;
    }
    auto carrier = carrier_over(known.instance.place, socket);
    replicas_.push_back(std::make_unique<Replica>(*this, peer_, known.instance, std::move(socket),
                                                  std::move(carrier)));
    known.replica = replicas_.back().get();
  } catch (const std::system_error& error) {
    last_failure_ = error.what();
    // Nobody listens there: the process has died, and left its name behind.
    if (error.code() == std::errc::connection_refused) peer_.has_gone(known.instance);
    pause_after_failure(known, now);
  }
}

std::unique_ptr<Carrier> Client::carrier_over(const Place& place, const Descriptor& socket) const {
  if (place.is_secured() && place.is_udp())
    return Datagrams::connect(socket, peer_.limits.host_lost, peer_.security->handshake(true));
  if (place.is_secured()) return peer_.security->connect(socket);
  if (place.is_udp()) return Datagrams::connect(socket, peer_.limits.host_lost);
  if (place.is_ip() || !peer_.through_memory) return nullptr;
  return Rings::offer(socket);
}

void Client::pause_after_failure(Known& known, Nanos now) noexcept {
  // The first try is at once, then after a pause that doubles; drawn, so that not all come back at
  // the same time.
  const Nanos longest = std::min(kFirstPause << std::min(known.failures, 6U), kLongestPause);
  known.not_before =
      known.failures == 0 ? now : now + 1 + random_below(static_cast<std::uint32_t>(longest));
  ++known.failures;
}

Client::Known* Client::known_of(const Replica& replica) noexcept {
  const auto at = std::find_if(known_.begin(), known_.end(), [&replica](const Known& known) {
    return known.replica == &replica;
  });
  return at == known_.end() ? nullptr : &*at;
}

Client::Known* Client::let_go(const Replica& replica) noexcept {
  Known* const known = known_of(replica);
  if (known == nullptr) return nullptr;
  known->replica = nullptr;
  const Nanos opened = std::exchange(known->opened, 0);
  if (opened != 0 && now_ns() >= opened + kShortest) known->failures = 0;
  return known;
}

void Client::opened(Replica& replica) noexcept {
  if (Known* const known = known_of(replica)) known->opened = now_ns();
  look_soon();
}

// It may be one thread of the process that leaves: another one takes a new link, however long calls
// keep this one.
void Client::drains(Replica& replica) noexcept {
  if (Known* const known = let_go(replica)) pause_after_failure(*known, now_ns());
  look_soon();
}

// Who waits for a service that is not there need not wait any longer.
void Client::look_soon() noexcept {
  moved_ = true;
  arm(now_ns());
}

void Client::broke(Replica& replica) noexcept {
  const Nanos now = now_ns();
  LinkFigures& figures = peer_.figures;
  const bool meant = replica.link().peer_drains() || replica.is_retired() || leaves_ || peer_.stops;
  if (replica.was_open()) {
    if (!meant) figures.broken.fetch_add(1, std::memory_order_relaxed);
    figures.open.fetch_sub(1, std::memory_order_relaxed);
  }
  try {
    if (!replica.is_retired()) last_failure_ = replica.place() + ": " + replica.link().why();
  } catch (const std::bad_alloc&) {
    // The one before.
  }
  if (Known* const known = let_go(replica)) pause_after_failure(*known, now);
  moved_ = true;
  if (!std::exchange(reap_posted_, true)) worker_.post_here(reap_);
  if (!waits()) return;
  used_ = true;  // by who waits for what that one may have offered
  arm(now);
}

void Client::reap() noexcept {
  reap_posted_ = false;
  std::erase_if(replicas_,
                [](const auto& replica) { return replica->link().state() == Link::State::closed; });
}

std::string Client::why_unreached() const {
  std::string text = peer_.binary + " cannot be reached";
  for (const auto& replica : replicas_) {
    if (replica->link().peer_drains()) return text + ": " + replica->place() + ": it drains";
  }
  if (known_.empty()) return text + ": " + peer_.why_none();
  if (!last_failure_.empty()) text += ": " + last_failure_;
  return text;
}

std::string Client::why_not_offered(std::size_t outlet) const {
  std::string why;
  for (const auto& replica : replicas_) {
    if (replica->is_greeted()) return {};  // and may offer what the others do not
    if (!replica->is_open()) continue;
    const Outlet& there = replica->link().outlet(outlet);
    if (there.offered) return {};
    why = peer_.binary + ": " + there.why;
  }
  return why;
}

bool Client::is_patient(const Asking& call) const noexcept {
  const auto& patient = peer_.patient;
  return !peer_.stops && std::find(patient.begin(), patient.end(), call.site()) != patient.end();
}

// A little before its deadline, when its caller would no longer hear why.
Nanos Client::end_of(const Asking& call) noexcept {
  const Nanos deadline = call.deadline_ns();
  if (deadline == 0) return kNever;
  return deadline - std::clamp((deadline - call.waits_since) / 8, Nanos{0}, kMs);
}

void Client::give_up_waiting(Nanos now) noexcept {
  const bool reached = is_reached();
  next_end_ = kNever;
  for (std::size_t outlet = 0; outlet < waiting_.size(); ++outlet) {
    Waiting& waiting = waiting_[outlet];
    if (waiting.empty()) continue;
    std::string why;
    try {
      why = why_not_offered(outlet);
    } catch (const std::bad_alloc&) {
      continue;
    }
    for (auto at = waiting.begin(); at != waiting.end();) {
      Asking& call = *at;
      const Nanos end = end_of(call);
      const bool late = now >= end;
      // Who only looks wants to hear why, not to wait.
      const bool waits_for_long = end != kNever && !call.service().only_looks;
      // It may have waited for long before, for one that had enough to do.
      const Nanos since = std::max(call.waits_since, unreached_since_);
      const bool unreached =
          !reached && !waits_for_long && now >= since + peer_.patience && !is_patient(call);
      if (!late && !unreached && why.empty()) {
        next_end_ = std::min(next_end_, end);
        ++at;
        continue;
      }
      at = waiting.erase(at);
      waits_no_more(call);
      if (!why.empty()) {
        call.give_up(ErrorCode::unimplemented, why);
      } else if (reached) {
        call.give_up(ErrorCode::deadline_exceeded, text_of([this] {
                       return "no process of " + peer_.binary + " took it before its deadline";
                     }));
      } else {
        call.give_up(late ? ErrorCode::deadline_exceeded : ErrorCode::unavailable,
                     text_of([this] { return why_unreached(); }));
      }
    }
    if (why.empty()) continue;
    for (const auto& replica : replicas_) {
      if (replica->is_open() && !replica->link().outlet(outlet).offered) is_gone(*replica);
    }
  }
}

// --- its worker leaves ---

void Client::leave() noexcept {
  leaves_ = true;
  close_if_unused();
}

void Client::close_if_unused() noexcept {
  if (under_way_ != 0) return;
  for (const auto& replica : replicas_) {
    replica->link().close("its thread leaves");
    replica->connection().attend();
  }
}

// --- the handler class ---

namespace {

/// Of one worker and one remote service.
struct RemoteHandler {
  const RemoteService* shared = nullptr;
  Client* client = nullptr;
};

void serve(call::Frame& frame, void* handler) {
  auto& self = *static_cast<RemoteHandler*>(handler);
  if (self.client == nullptr) self.client = &Client::here(*self.shared->peer);
  self.client->send(RemoteCall::make(frame, *self.shared, *self.client));
}

}  // namespace

const call::Implementation::Type& remote_implementation() noexcept {
  static constexpr call::Implementation::Type type{
      // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): it may throw
      .create = []() -> void* { return new RemoteHandler; },
      .destroy = [](void* handler) noexcept { delete static_cast<RemoteHandler*>(handler); },
      .serve = &serve,
      .coroutine = true,
      .set_shared =
          [](void* handler, void* shared) {
            static_cast<RemoteHandler*>(handler)->shared = static_cast<RemoteService*>(shared);
          }};
  return type;
}

}  // namespace penstock::net
