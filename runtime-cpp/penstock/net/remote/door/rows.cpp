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

/// Past as many that can be copied, `most` at most; how many they are.
std::uint32_t pass_small(wire::Messages& messages, std::uint32_t most) noexcept {
  for (std::uint32_t count = 0; count < most; ++count) {
    wire::Messages behind = messages;
    std::string_view message;
    if (!behind.next(message) || message.size() > kLargest) return count;
    messages = behind;
  }
  return most;
}

}  // namespace

/// Calls of one frame that are being run, and where their answers go: those that came together are
/// answered together.
class Rows::Running final : public AnswerPlace {
 public:
  /// `bytes` is empty, and is so again after send(), which is the last.
  Running(Link& link, const Calls& its_calls, std::string& bytes) noexcept
      : calls(its_calls), link_(link), bytes_(bytes) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  virtual ~Running() = default;

  const Calls& calls;
  std::uint32_t at = 0;      ///< which of them
  std::uint32_t served = 0;  ///< that are to be counted

  [[nodiscard]] CallNumber number() const noexcept {
    return {calls.first.number + at, calls.first.service};
  }
  [[nodiscard]] bool is_sampled() const noexcept { return (calls.sampled >> at & 1U) != 0; }

  [[nodiscard]] char* take(std::size_t bytes) noexcept override {
    try {
      const std::size_t more = wire::kTogetherHead + bytes;
      const std::size_t most = link_.largest_answers();
      const bool goes_alone = !calls.together || bytes > wire::kLargestTogether || more > most;
      if (goes_alone || bytes_.size() + more > most) send();
      if (goes_alone) return begin_alone(bytes);
      answered_ |= std::uint64_t{1} << at;
      if (bytes == 0) return nullptr;
      bytes_.resize(bytes_.size() + more);
      filled_ |= std::uint64_t{1} << at;
      return wire::begin_message(bytes_.data() + bytes_.size() - more, bytes);
    } catch (const std::bad_alloc&) {
      link_.close("out of memory");
      return nullptr;
    }
  }

  /// What was answered so far.
  void send() noexcept {
    if (answered_ == 0) return;
    try {
      link_.answer(calls.first, wire::AnswersBody{answered_, filled_, bytes_});
    } catch (const std::bad_alloc&) {
      link_.close("out of memory");
    }
    answered_ = filled_ = 0;
    bytes_.clear();
  }

 private:
  char* begin_alone(std::size_t bytes) {
    char* place = nullptr;
    const CallNumber call = number();
    link_.answer(call, bytes, [&place](char* to) { place = to; });
    return place;
  }

  Link& link_;
  std::uint64_t answered_ = 0;  // one a bit
  std::uint64_t filled_ = 0;    // whose answers are in bytes_
  std::string& bytes_;
};

Rows::Rows(Connection& connection) noexcept
    : connection_(connection), worker_(*exec::Worker::current()) {}

Rows::~Rows() = default;

bool Rows::take(const Offer& offer, const Incoming& call) {
  call::Implementation* const implementation = runs_here(offer, worker_);
  if (implementation == nullptr) return false;
  const bool alone = runs_here_alone(offer, worker_);
  const bool small = call.envelope.flags() == 0 && call.message.size() <= kLargest;
  Row* const row =
      small && implementation->pace.quick() ? row_for(implementation->pace.ns(), alone) : nullptr;
  if (row == nullptr) {
    // Those that come behind it are not to overtake it.
    if (alone && open_ != nullptr) open_->takes_more = false;
    return false;
  }
  Calls& taken = add(*row, offer, *implementation, call.message, 1);
  taken.first = {call.number, call.service};
  if (call.envelope.left_us != 0) {
    if (taken.came_ns == 0) taken.came_ns = now_ns();
    Context context;
    call.envelope.give_to(context, taken.came_ns);
    taken.deadline_ns = context.deadline_ns;
  }
  return true;
}

std::uint32_t Rows::take(const Offer& offer, const IncomingRow& calls) {
  call::Implementation* const implementation = runs_here(offer, worker_);
  if (implementation == nullptr || !implementation->pace.quick()) return 0;
  const bool alone = runs_here_alone(offer, worker_);
  const Nanos takes = std::max<Nanos>(implementation->pace.ns(), 1);
  wire::Messages left = calls.requests;
  std::uint32_t taken = 0;
  while (taken < calls.count) {
    wire::Messages first = left;
    Row* const row = pass_small(first, 1) != 0 ? row_for(takes, alone) : nullptr;
    if (row == nullptr) break;
    const auto in_time =
        static_cast<std::uint32_t>((defaults::kChunkNanos - row->takes_ns) / takes);
    const std::uint32_t most =
        std::min({calls.count - taken, defaults::kMostInChunk - row->count, std::max(in_time, 1U)});
    const std::string_view before = left.left();
    const std::uint32_t count = pass_small(left, most);
    Calls& together = add(*row, offer, *implementation,
                          before.substr(0, before.size() - left.left().size()), count);
    together.first = {calls.first.number + taken, calls.first.service};
    together.together = true;
    taken += count;
  }
  return taken;
}

Rows::Calls& Rows::add(Row& row, const Offer& offer, call::Implementation& implementation,
                       std::string_view bytes, std::uint32_t count) {
  Calls calls;
  calls.offer = &offer;
  calls.implementation = &implementation;
  calls.count = count;
  calls.begin = row.bytes.size();
  calls.bytes = bytes.size();
  row.bytes.append(bytes);
  row.calls.push_back(calls);
  row.count += count;
  row.takes_ns += implementation.pace.ns() * count;
  Calls& added = row.calls.back();
  added.sampled = offer.site.callee->registry->sampled(offer.site.count, count);
  if (added.sampled != 0) added.came_ns = now_ns();
  connection_.link().keep_numbers(count);
  return added;
}

// One that has room for it; null: others of the pool are to have what is more than one takes.
Rows::Row* Rows::row_for(Nanos takes_ns, bool alone) {
  if (open_ != nullptr) {
    const bool fits = open_->count < defaults::kMostInChunk &&
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
  for (const Calls& calls : row.calls) {
    run(calls, std::string_view(row.bytes).substr(calls.begin, calls.bytes));
    connection_.attend();
  }
  row.calls.clear();
  row.count = 0;
  row.bytes.clear();
  if (row.bytes.capacity() > kKept) std::string().swap(row.bytes);
  if (answers_.capacity() > kKept) std::string().swap(answers_);
  row.takes_ns = 0;
  row.takes_more = true;
  if (spare_ == nullptr) spare_ = std::move(owned);
  --waiting_;
}

void Rows::run(const Calls& calls, std::string_view requests) noexcept {
  Running running(connection_.link(), calls, answers_);
  if (calls.together) {
    wire::Messages each(requests);
    for (std::string_view request; each.next(request); ++running.at) run_one(running, request);
  } else {
    run_one(running, requests);
  }
  running.send();
  if (running.served != 0) calls.implementation->count_served(running.served);
}

void Rows::run_one(Running& running, std::string_view request) noexcept {
  const Calls& calls = running.calls;
  if (connection_.link().state() == Link::State::closed) {
    constexpr ErrorCode kCancelled = ErrorCode::cancelled;
    calls.implementation->count_done(&kCancelled, call::Ending::skipped, {});
    return;
  }
  const bool sampled = running.is_sampled();
  const Nanos began = sampled ? now_ns() : 0;
  bool is_asked = false;
  const auto times = [&] {
    if (!sampled) return call::Times{};
    return call::Times{.wait = began - calls.came_ns, .run = is_asked ? now_ns() - began : -1};
  };
  activation_.implementation = calls.implementation;
  activation_.begin(worker_);
  activation_.context.deadline_ns = calls.deadline_ns;
  try {
    serve(running, request, is_asked);
    if (sampled) {
      calls.implementation->count_done(nullptr, call::Ending::served, times());
    } else {
      ++running.served;
    }
  } catch (...) {
    fail(running, times());
  }
  if (!activation_.locals.empty()) {
    const call::Activating activating(&activation_);
    activation_.locals.end();
  }
}

void Rows::serve(Running& running, std::string_view request, bool& is_asked) {
  const Calls& calls = running.calls;
  const auto name = [&calls] { return calls.offer->site.callee->name.str(); };
  if (calls.deadline_ns != 0 && now_ns() >= calls.deadline_ns) {
    throw Error(ErrorCode::deadline_exceeded, "call to " + name() + " waited beyond its deadline");
  }
  // Also for the constructor of the handler object, as in a frame.
  const call::Activating activating(&activation_);
  void* const object = calls.implementation->handler_on(worker_, 0);
  const DirectHandler handler{calls.implementation->type, object};
  is_asked = true;
  is_asked = calls.offer->type->run(handler, request, running);
  if (!is_asked) {
    throw Error(ErrorCode::invalid_argument, "the request of " + name() + " is malformed");
  }
}

// With the exception that is being handled.
void Rows::fail(const Running& running, call::Times times) noexcept {
  const Calls& calls = running.calls;
  Link& link = connection_.link();
  try {
    const Error error = Error::current();
    const ErrorCode code = error.code();
    const bool late = code == ErrorCode::deadline_exceeded && calls.deadline_ns != 0 &&
                      now_ns() >= calls.deadline_ns;
    calls.implementation->count_done(&code, late ? call::Ending::expired : call::Ending::served,
                                     times);
    const call::CallSite& site = calls.offer->site;
    if (code != ErrorCode::cancelled) site.callee->registry->shard().add(site.errors);
    link.fail(running.number(), code, error.message());
  } catch (const std::bad_alloc&) {
    link.close("out of memory");
  }
}

}  // namespace penstock::net
