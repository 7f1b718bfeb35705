#include "penstock/net/remote/door/door.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "penstock/call/activation/activation.hpp"
#include "penstock/call/frame/frame.hpp"
#include "penstock/net/remote/door/on_worker.hpp"
#include "penstock/net/remote/door/rows.hpp"
#include "penstock/net/socket/connection.hpp"
#include "penstock/net/socket/datagrams.hpp"
#include "penstock/net/socket/rings.hpp"

namespace penstock::net {

namespace {

constexpr Nanos kNever = Nanos{1} << 61U;

}  // namespace

/// One who has connected.
class Door::Guest final : public Connection::User {
 public:
  Guest(Door& door, Guests& guests, Descriptor socket, std::unique_ptr<Carrier> carrier)
      : door_(door),
        guests_(guests),
        table_(door.board_->table()),
        connection_(std::move(socket), table_->self, *this, door.limits_, std::move(carrier)) {
    door_.count_.fetch_add(1, std::memory_order_relaxed);
  }
  ~Guest() override { door_.count_.fetch_sub(1, std::memory_order_relaxed); }

  [[nodiscard]] Connection& connection() noexcept { return connection_; }
  [[nodiscard]] bool is_closed() noexcept {
    return connection_.link().state() == Link::State::closed;
  }
  /// And none of its jobs waits.
  [[nodiscard]] bool is_over() noexcept { return is_closed() && !rows_.waits(); }

  /// For another one that comes.
  void make_way() noexcept {
    static const std::string why = "others came while it did not say who it is";
    refuse(Refusals::Why::crowded, why);
    connection_.link().close(why);
    connection_.attend();
  }
  [[nodiscard]] bool is_stranger() noexcept {
    return connection_.link().state() == Link::State::greeting;
  }
  void opened(Link& link) override {
    const wire::Hello& hello = link.peer();
    if (std::string why = connection_.is_not({door_.self_.hello.project, hello.binary});
        !why.empty()) {
      refuse(connection_.is_secured() ? Refusals::Why::key : Refusals::Why::stranger, why);
      return link.close(std::move(why));
    }
    is_known_ = true;
    const auto is_in = [&hello](const auto& callers) {
      return !callers ||
             std::find(callers->begin(), callers->end(), hello.binary) != callers->end();
    };
    for (std::size_t number = 0; number < table_->entries.size(); ++number) {
      const Board::Entry& entry = table_->entries[number];
      unsigned window = 1;  // what was withdrawn meanwhile is refused when it is called
      bool may_call = true;
      if (const Offer* const drawn = entry.drawn) {
        may_call = is_in(drawn->callers);
        window = drawn->pool().queue();
      } else if (const auto published = entry.published.lock()) {
        may_call = is_in(published->callers);
        window = published->site->callee->pool->queue();
      }
      may_call_.push_back(may_call);
      link.offer(static_cast<std::uint16_t>(number), std::max(window, 1U));
    }
  }
  void has_credit(Link& /*link*/, std::size_t /*outlet*/) override {}
  [[nodiscard]] bool may_call(std::uint16_t service) const noexcept override {
    return may_call_[service];
  }
  ReceivedCall* called(Link& link, const Incoming& call) override;
  [[nodiscard]] std::uint32_t called_together(Link& /*link*/, const IncomingRow& calls) override {
    const Offer* const offer = table_->entries[calls.first.service].drawn;
    if (offer == nullptr || !may_call(calls.first.service)) return 0;
    return rows_.take(*offer, calls);
  }
  void cancelled(Link& link, ReceivedCall& call) noexcept override;
  void drains(Link& /*link*/) override {}
  void closed(Link& link) noexcept override;

 private:
  /// A call that it made, and who is told of its answer.
  struct Called final : ReceivedCall, call::Waiter {
    Guest* guest = nullptr;  // null: it has gone, and nobody is told
    call::Frame* frame = nullptr;
    const RemoteType* type = nullptr;
    std::shared_ptr<Publication> published;  // of a call to one
    bool is_cancelled = false;

    static void end(Called& called) noexcept {
      called.~Called();
      concurrent::release(&called, sizeof(Called));
    }
  };
  static void on_arrived(call::Waiter& waiter, call::Frame& frame) noexcept;
  void conclude(Called& called, const call::Frame& frame) noexcept;
  static void answer_parted(Link& link, Called& called, const call::Frame& frame);
  void refuse(Refusals::Why why, const std::string& text) noexcept;

  Door& door_;
  Guests& guests_;
  const std::shared_ptr<const Board::Table> table_;
  bool is_known_ = false;
  std::vector<bool> may_call_;  // by the service's number
  // Whoever called over there, while its call is sent on: the deadline, the trace and the baggage.
  call::Activation asker_;
  Connection connection_;
  Rows rows_{connection_};
};

/// Those of one worker.
class Door::Guests {
 public:
  Guests() : worker_(*exec::Worker::current()) {
    reap_.guests = this;
    reap_.run = [](exec::Job& job) noexcept {
      auto& self = *static_cast<Reap&>(job).guests;
      self.reap_posted_ = false;
      std::erase_if(self.all_, [](const auto& guest) { return guest->is_over(); });
      const auto is_closed = [](const auto& guest) { return guest->is_closed(); };
      // What came for it when this job was on its way stands behind it.
      if (std::any_of(self.all_.begin(), self.all_.end(), is_closed)) self.closed();
    };
  }

  void add(Door& door, Descriptor socket, const Security* security, std::uint64_t number) {
    all_.reserve(all_.size() + 1);
    std::unique_ptr<Carrier> carrier;
    if (security != nullptr) make_room();
    if (number != 0) {
      carrier = Datagrams::accept(socket, number, door.limits_.host_lost,
                                  security != nullptr ? security->handshake(false) : nullptr);
    } else if (security != nullptr) {
      carrier = security->accept(socket);
    } else if (is_unix_socket(socket)) {
      carrier = Rings::expect(socket);
    }
    all_.push_back(std::make_unique<Guest>(door, *this, std::move(socket), std::move(carrier)));
  }
  template <class Do>
  void each(const Do& what) {
    for (const auto& guest : all_) what(*guest);
  }
  void closed() noexcept {
    if (!std::exchange(reap_posted_, true)) worker_.post_here(reap_);
  }

 private:
  struct Reap : exec::Job {
    Guests* guests = nullptr;
  };
  // A caller says who it is within milliseconds; who does not makes way for others.
  void make_room() noexcept {
    const auto is_stranger = [](const auto& guest) { return guest->is_stranger(); };
    if (std::count_if(all_.begin(), all_.end(), is_stranger) < std::ptrdiff_t{kMostStrangers})
      return;
    (*std::find_if(all_.begin(), all_.end(), is_stranger))->make_way();
  }

  exec::Worker& worker_;
  std::vector<std::unique_ptr<Guest>> all_;
  Reap reap_;
  bool reap_posted_ = false;
};

void Door::Guest::closed(Link& link) noexcept {
  if (connection_.broke_security() && !is_known_) {
    refuse(Refusals::Why::key, link.why());
  } else if (connection_.broke_security() || connection_.was_malformed()) {
    refuse(Refusals::Why::malformed, link.why());
  }
  guests_.closed();
}

void Door::Guest::refuse(Refusals::Why why, const std::string& text) noexcept {
  try {
    door_.refusals_.count(why, other_end(connection_.socket()), text, now_ns());
  } catch (const std::bad_alloc&) {
    door_.refusals_.count(why, {}, text, now_ns());
  }
}

ReceivedCall* Door::Guest::called(Link& link, const Incoming& call) {
  const Board::Entry& entry = table_->entries[call.service];
  const std::string& name = table_->self.hello.services[call.service].name;
  std::shared_ptr<Publication> published = entry.published.lock();
  if (entry.drawn == nullptr && (published == nullptr || published->is_withdrawn)) {
    link.refuse(call, ErrorCode::unimplemented,
                door_.self_.hello.binary + ": it has no service " + name + " any more");
    return nullptr;
  }
  if (!may_call(call.service)) {
    const std::string why =
        link.peer().binary + (entry.drawn != nullptr
                                  ? " is not drawn to call " + entry.drawn->site.callee->name.str()
                                  : " is not one of those who may call " + name);
    refuse(Refusals::Why::not_drawn, why);
    link.refuse(call, ErrorCode::permission_denied, why);
    return nullptr;
  }
  if (entry.drawn != nullptr && rows_.take(*entry.drawn, call)) return nullptr;
  const RemoteType& type = entry.drawn != nullptr ? *entry.drawn->type : *published->type;
  const call::CallSite& site = entry.drawn != nullptr ? entry.drawn->site : *published->site;
  call::Frame* const frame = [&] {
    const codec::ReadsBeside reads(call.buffers);
    return type.read_request(call.message);
  }();
  if (frame == nullptr) {
    link.refuse(call, ErrorCode::invalid_argument,
                "the request of " + (published != nullptr ? name : site.callee->name.str()) +
                    " is malformed");
    return nullptr;
  }
  Called* called = nullptr;
  try {
    called = ::new (concurrent::allocate(sizeof(Called))) Called;
  } catch (const std::bad_alloc&) {
    frame->destroy(*frame);
    throw;
  }
  called->guest = this;
  called->frame = frame;
  called->type = &type;
  called->published = std::move(published);
  called->arrived = &on_arrived;
  {
    call.envelope.give_to(asker_.context, call.envelope.left_us != 0 ? now_ns() : 0);
    const call::Activating asking(&asker_);
    if (entry.drawn != nullptr && entry.drawn->runs_on != nullptr) {
      call::send_to(*entry.drawn->runs_on, *frame, site);
    } else {
      call::send(*frame, site, entry.drawn != nullptr ? entry.drawn->implementation : nullptr);
    }
  }
  frame->waiter = called;  // the answer comes as a job of this worker
  return called;
}

void Door::Guest::on_arrived(call::Waiter& waiter, call::Frame& frame) noexcept {
  auto& called = static_cast<Called&>(waiter);
  if (called.guest != nullptr) called.guest->conclude(called, frame);
  call::end_cancellable(frame);
  Called::end(called);
}

void Door::Guest::conclude(Called& called, const call::Frame& frame) noexcept {
  Link& link = connection_.link();
  try {
    if (called.is_cancelled) {
      link.fail(called, ErrorCode::cancelled, {});  // nobody reads it; it gives the credit back
    } else if (frame.failed) {
      link.fail(called, frame.error->code(), frame.error->message());
    } else {
      const RemoteType& type = *called.type;
      if (type.has_buffers && link.parts_messages()) {
        answer_parted(link, called, frame);
      } else {
        const std::size_t bytes = type.answer_bytes(frame);
        link.answer(called, bytes, [&](char* at) { type.write_answer(frame, at, bytes); });
      }
    }
  } catch (const std::bad_alloc&) {
    called.frame = nullptr;  // it ends here, and not by that
    link.close("out of memory");
  }
  connection_.attend();
}

void Door::Guest::answer_parted(Link& link, Called& called, const call::Frame& frame) {
  PartedMessage message;
  {
    const codec::WritesBeside writes(message.buffers);
    const std::size_t bytes = called.type->answer_bytes(frame);
    message.bytes.resize(bytes);
    called.type->write_answer(frame, message.bytes.data(), bytes);
  }
  link.answer_parted(called, message);
}

void Door::Guest::cancelled(Link& link, ReceivedCall& call) noexcept {
  auto& called = static_cast<Called&>(call);
  if (called.frame == nullptr) return;
  if (link.state() == Link::State::open) {
    // It has its place, and the memory of its request, until it is over: its caller sends no other
    // one instead.
    if (std::exchange(called.is_cancelled, true)) return;
    if (call.is_late()) called.frame->late.store(true, std::memory_order_relaxed);
    call::cancel(*called.frame);
    return;
  }
  if (called.is_cancelled) {
    called.guest = nullptr;
    return;
  }
  call::drop(*called.frame);
  Called::end(called);
}

Door::Guests& Door::guests_here() {
  exec::Worker& worker = *exec::Worker::current();
  if (void* const known = worker.object(slot_)) return *static_cast<Guests*>(known);
  return *static_cast<Guests*>(call::keep_on(
      worker, slot_, [](const void*) -> void* { return new Guests; }, nullptr,
      [](void* guests) noexcept { delete static_cast<Guests*>(guests); }));
}

/// A connection on its way to the worker that is to serve it.
struct Door::Arrival : exec::Job {
  Arrival(Door& its_door, Descriptor its_socket, const Security* its_security,
          std::uint64_t its_number)
      : door(its_door), socket(std::move(its_socket)), security(its_security), number(its_number) {
    door.arriving_.fetch_add(1, std::memory_order_relaxed);
    run = [](exec::Job& job) noexcept {
      const std::unique_ptr<Arrival> self(&static_cast<Arrival&>(job));
      // It would come after those who are told of the drain.
      if (self->door.drains_.load(std::memory_order_relaxed)) return;
      // The worker had left its pool, and who noticed runs its jobs.
      const exec::Worker* const worker = exec::Worker::current();
      if (worker == nullptr || &worker->pool() != &self->door.pool_)
        return self->door.send_on(std::move(self->socket), self->security, self->number);
      try {
        self->door.guests_here().add(self->door, std::move(self->socket), self->security,
                                     self->number);
      } catch (const std::exception&) {
        // Closed: who connected tries again.
      }
    };
  }
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;
  ~Arrival() { door.arriving_.fetch_sub(1, std::memory_order_relaxed); }

  Door& door;
  Descriptor socket;
  const Security* security;
  const std::uint64_t number;  ///< of a connection over datagrams; 0: of a stream
};

void Door::accepted(Descriptor socket, bool secured, std::uint64_t number) noexcept {
  // Only the user itself; or whoever has a key, which is not known yet.
  if (secured) {
    if (number == 0) notice_lost_hosts(socket, limits_.host_lost);
    if (arriving_.load(std::memory_order_relaxed) >= kMostArriving)
      return refusals_.count(Refusals::Why::crowded, "a caller", "too many come at once", now_ns());
  } else if (refuses_stranger(socket)) {
    return;
  }
  send_on(std::move(socket), secured ? security_ : nullptr, number);
}

bool Door::refuses_stranger(const Descriptor& socket) noexcept {
  if (!is_strangers(socket)) return false;
  refusals_.count(Refusals::Why::stranger, "a caller", "it is not known to be this user's",
                  now_ns());
  return true;
}

void Door::send_on(Descriptor socket, const Security* security, std::uint64_t number) noexcept {
  const unsigned size = pool_.size();
  if (size == 0) return;
  exec::Worker& worker = pool_.worker(next_.fetch_add(1, std::memory_order_relaxed) % size);
  try {
    worker.post(*std::make_unique<Arrival>(*this, std::move(socket), security, number).release());
  } catch (const std::bad_alloc&) {
    // Closed, as above.
  }
}

std::uint16_t Door::open(const Place& place, const Security* security) {
  if (board_->table() == nullptr) board_->begin(self_, offers_);
  Listener::Taker& taker = *this;
  std::uint16_t port = 0;
  const bool opened = on_worker(pool_.worker(0), kNever, [this, &place, &taker, security, &port] {
    if (security != nullptr) security_ = security;
    listeners_.push_back(std::make_unique<Listener>(place, taker));
    port = port_of(listeners_.back()->socket());
  });
  static_cast<void>(opened);
  return port;
}

bool Door::drain(Nanos deadline) {
  drains_.store(true, std::memory_order_relaxed);
  if (pool_.size() == 0) return true;
  if (!on_worker(pool_.worker(0), deadline, [this] { listeners_.clear(); })) return false;
  return each_guest(deadline, [](Guest& guest) { guest.connection().drain(); });
}

void Door::break_off() {
  const bool broken = each_guest(kNever, [](Guest& guest) {
    guest.connection().link().close("it was broken off");
    guest.connection().attend();
  });
  static_cast<void>(broken);
}

template <class Do>
bool Door::each_guest(Nanos deadline, Do what) {
  for (unsigned index = 0; index < pool_.size(); ++index) {
    const auto here = [this, what] {
      // One that has left has none any more.
      if (exec::Worker::current() != nullptr) guests_here().each(what);
    };
    if (!on_worker(pool_.worker(index), deadline, here)) return false;
  }
  return true;
}

}  // namespace penstock::net
