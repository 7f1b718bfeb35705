#include "penstock/net/remote/door/rows.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "penstock/base/defaults.hpp"
#include "penstock/exec/pool.hpp"

namespace penstock::net {
namespace {

/// Requests are copied out of what the link has read.
constexpr std::size_t kLargest = 1024;
/// Memory for them that a row keeps.
constexpr std::size_t kKept = 4096;

/// The only thread that may run it: those that come one after another run in that order.
bool runs_here_alone(const Offer& offer, const exec::Worker& here) noexcept {
  if (here.pool().size() == 1) return true;
  return offer.runs_on == nullptr && offer.site.callee->thread >= 0;
}

/// A plain handler that is to be run on this worker and has nothing to wait for; null: a frame is
/// needed.
call::Implementation* runs_here(const Offer& offer, const exec::Worker& here) noexcept {
  if (offer.type->run == nullptr) return nullptr;
  const call::Service& service = *offer.site.callee;
  exec::Pool& pool = here.pool();
  // With another overflow each is refused or shed by itself. Where the queue is shared, those with
  // a frame wait there, and would be overtaken.
  if (&offer.pool() != &pool || pool.overflow() != exec::Overflow::block || pool.shared())
    return nullptr;
  // One that is about to leave a pool which has just become one of one thread: that has the others.
  if (pool.size() == 1 && &pool.worker(0) != &here) return nullptr;
  if (offer.runs_on == nullptr && service.thread >= 0 && service.only_worker() != &here)
    return nullptr;
  if (service.deadline_ns != 0 || service.partitions.exist() || service.kind == Kind::sync_remote)
    return nullptr;
  call::Implementation* implementation = offer.implementation;
  if (implementation == nullptr && !service.implementations.several())
    implementation = service.implementations.front();
  if (implementation == nullptr || implementation->type.direct == nullptr) return nullptr;
  return implementation;
}

/// Where the answer of one call goes.
class Answer final : public AnswerPlace {
 public:
  Answer(Link& link, const CallNumber& number) noexcept : link_(link), number_(number) {}
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  ~Answer() = default;

  [[nodiscard]] char* take(std::size_t bytes) noexcept override {
    char* place = nullptr;
    try {
      link_.answer(number_, bytes, [&place](char* at) { place = at; });
    } catch (const std::bad_alloc&) {
      link_.close("out of memory");
    }
    return place;
  }

 private:
  Link& link_;
  const CallNumber& number_;
};

}  // namespace

Rows::Rows(Connection& connection) noexcept
    : connection_(connection), worker_(*exec::Worker::current()) {}

Rows::~Rows() = default;

bool Rows::take(const Offer& offer, const Incoming& call) {
  call::Implementation* const implementation = runs_here(offer, worker_);
  if (implementation == nullptr) return false;
  const bool alone = runs_here_alone(offer, worker_);
  const bool small = call.envelope.flags() == 0 && call.message.size() <= kLargest;
  const Nanos takes = implementation->pace.ns();
  Row* const row = small && implementation->pace.quick() ? row_for(takes, alone) : nullptr;
  if (row == nullptr) {
    // Those that come behind it are not to overtake it.
    if (alone && open_ != nullptr) open_->takes_more = false;
    return false;
  }
  const std::size_t begin = row->bytes.size();
  row->bytes.append(call.message);
  Call& taken = row->calls.emplace_back();
  row->takes_ns += takes;
  taken.offer = &offer;
  taken.implementation = implementation;
  taken.number = {call.number, call.service};
  taken.sampled = offer.site.callee->registry->sampled(offer.site.count);
  taken.begin = begin;
  taken.bytes = call.message.size();
  const bool has_deadline = call.envelope.left_us != 0;
  if (taken.sampled || has_deadline) taken.came_ns = now_ns();
  if (has_deadline) {
    Context context;
    call.envelope.give_to(context, taken.came_ns);
    taken.deadline_ns = context.deadline_ns;
  }
  connection_.link().keep_number();
  return true;
}

// One that has room for it; null: others of the pool are to have what is more than one takes.
Rows::Row* Rows::row_for(Nanos takes_ns, bool alone) {
  if (open_ != nullptr) {
    const bool fits = open_->calls.size() < defaults::kMostInChunk &&
                      open_->takes_ns + takes_ns <= defaults::kChunkNanos;
    if (open_->takes_more && fits) return open_;
    if (!alone) return nullptr;
  }
  return &begin_row();
}

Rows::Row& Rows::begin_row() {
  std::unique_ptr<Row> row = spare_ != nullptr ? std::move(spare_) : std::make_unique<Row>();
  row->rows = this;
  row->run = [](exec::Job& job) noexcept {
    auto& begun = static_cast<Row&>(job);
    begun.rows->run(begun);
  };
  open_ = row.release();
  ++waiting_;
  worker_.post_here(*open_);
  return *open_;
}

void Rows::run(Row& row) noexcept {
  std::unique_ptr<Row> owned(&row);
  if (open_ == &row) open_ = nullptr;
  for (const Call& call : row.calls) {
    run(row, call);
    connection_.attend();
  }
  row.calls.clear();
  row.bytes.clear();
  if (row.bytes.capacity() > kKept) std::string().swap(row.bytes);
  row.takes_ns = 0;
  row.takes_more = true;
  if (spare_ == nullptr) spare_ = std::move(owned);
  --waiting_;
}

void Rows::run(const Row& row, const Call& call) noexcept {
  if (connection_.link().state() == Link::State::closed) {
    constexpr ErrorCode kCancelled = ErrorCode::cancelled;
    call.implementation->count_done(&kCancelled, call::Ending::skipped, {});
    return;
  }
  const Nanos began = call.sampled ? now_ns() : 0;
  bool is_asked = false;
  const auto times = [&] {
    if (!call.sampled) return call::Times{};
    return call::Times{.wait = began - call.came_ns, .run = is_asked ? now_ns() - began : -1};
  };
  activation_.implementation = call.implementation;
  activation_.begin(worker_);
  activation_.context.deadline_ns = call.deadline_ns;
  try {
    Answer answer(connection_.link(), call.number);
    serve(row, call, answer, is_asked);
    call.implementation->count_done(nullptr, call::Ending::served, times());
  } catch (...) {
    fail(call, times());
  }
  if (!activation_.locals.empty()) {
    const call::Activating activating(&activation_);
    activation_.locals.end();
  }
}

void Rows::serve(const Row& row, const Call& call, AnswerPlace& answer, bool& is_asked) {
  const auto name = [&call] { return call.offer->site.callee->name.str(); };
  if (call.deadline_ns != 0 && now_ns() >= call.deadline_ns) {
    throw Error(ErrorCode::deadline_exceeded, "call to " + name() + " waited beyond its deadline");
  }
  // Also for the constructor of the handler object, as in a frame.
  const call::Activating activating(&activation_);
  void* const object = call.implementation->handler_on(worker_, 0);
  const DirectHandler handler{call.implementation->type, object};
  is_asked = true;
  is_asked = call.offer->type->run(
      handler, std::string_view(row.bytes).substr(call.begin, call.bytes), answer);
  if (!is_asked) {
    throw Error(ErrorCode::invalid_argument, "the request of " + name() + " is malformed");
  }
}

// With the exception that is being handled.
void Rows::fail(const Call& call, call::Times times) noexcept {
  Link& link = connection_.link();
  try {
    const Error error = Error::current();
    const ErrorCode code = error.code();
    const bool late = code == ErrorCode::deadline_exceeded && call.deadline_ns != 0 &&
                      now_ns() >= call.deadline_ns;
    call.implementation->count_done(&code, late ? call::Ending::expired : call::Ending::served,
                                    times);
    const call::CallSite& site = call.offer->site;
    if (code != ErrorCode::cancelled) site.callee->registry->shard().add(site.errors);
    link.fail(call.number, code, error.message());
  } catch (const std::bad_alloc&) {
    link.close("out of memory");
  }
}

}  // namespace penstock::net
