#include "penstock/call/frame/direct.hpp"

#include "penstock/call/activation/spans.hpp"

namespace penstock::call {

CallSite::CallSite() noexcept : direct(&kNothingFound) {}

CallSite::~CallSite() {
  const Direct* const own = direct.load(std::memory_order_relaxed);
  if (own != &kNothingFound) delete own;
}

namespace {

// Whether every call of the site that finds its callee on this thread does the same.
bool always_the_same(const Service& service) noexcept {
  return service.implementations.size() == 1 && service.deadline_ns == 0 &&
         !service.partitions.exist();
}

// The implementation that an inline call runs.
Implementation& find_inline(const CallSite& site) {
  const Service& service = *site.callee;
  exec::Worker* const worker = exec::Worker::current();
  // Not a thread that is about to leave a pool which has just become one of one thread.
  const bool here = worker != nullptr && &worker->pool() == service.pool &&
                    (service.only_worker() == worker ||
                     (service.pool->size() == 1 && service.thread == Service::kAnyThread &&
                      &service.pool->worker(0) == worker));
  if (!here) {
    throw Error(ErrorCode::failed_precondition,
                "inline_call: " + service.name + " is not placed on this very thread");
  }
  return service.choose();
}

// Keeps what find_inline() has found, for run_here(). Without memory the next call tries again.
void keep(const CallSite& site, const Implementation& implementation) {
  const Service& service = *site.callee;
  metrics::Shard& shard = service.registry->shard();
  if (current_activation() == nullptr || shard.shared() || !always_the_same(service)) return;
  exec::Worker& worker = *exec::Worker::current();
  void* const handler = worker.object(implementation.slot);  // null: the first call makes it
  if (handler == nullptr || site.direct.load(std::memory_order_relaxed) != &kNothingFound) return;
  const auto* const fresh =
      new (std::nothrow) Direct{.worker = &worker,
                                .handler = handler,
                                .run = implementation.type.direct,
                                .calls = &shard.sampling(site.count),
                                .done = &shard.cell(implementation.done),
                                .pool = service.pool,
                                .bound = service.thread >= 0,
                                .may_block = service.kind == Kind::sync_remote};
  // Release: pairs with the acquire in found_here(). No other thread ever comes here for this site.
  if (fresh != nullptr) site.direct.store(fresh, std::memory_order_release);
}

// Counts the failure of an inline call and throws the exception that is being handled on.
[[noreturn]] void fail_inline(const CallSite& site, const Implementation& implementation,
                              std::uint32_t place, Times times, Nanos deadline_ns = 0) {
  const Error error = Error::current();
  const ErrorCode code = error.code();
  const bool late =
      code == ErrorCode::deadline_exceeded && deadline_ns != 0 && now_ns() >= deadline_ns;
  implementation.count_done(&code, late ? Ending::expired : Ending::served, times);
  if (error.code() != ErrorCode::cancelled) site.callee->registry->shard().add(site.errors);
  leave(implementation, place);
  throw Error(error);
}

// What travels with the caller is there for its inline callee as well.
class Lent {
 public:
  Lent(Locals& from, Locals& to) noexcept : from_(from), to_(to) { from.swap(to); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() { from_.swap(to_); }

 private:
  Locals& from_;
  Locals& to_;
};

// With all that is not needed every time: a turn, a deadline, a sample, a kind of its own, a choice
// of implementations.
void run_fully(const CallSite& site, Implementation& implementation, const void* request,
               void* response) {
  Service& service = *site.callee;
  Partition* const partition = service.partition_of(request);
  if (partition != nullptr && !partition->try_enter()) throw_busy(service);
  const std::uint32_t place = partition != nullptr ? partition->index : 0;
  const bool sampled = service.registry->sampled(site.count);
  const Nanos start = now_ns();
  Activation& caller = *current_activation();
  exec::Worker& worker = *caller.worker.load(std::memory_order_relaxed);
  Activation own;
  own.context = caller.context;
  own.implementation = &implementation;
  own.cause = caller.cause;
  own.place = place;
  own.begin(worker);
  if (service.deadline_ns != 0) {
    own.context.deadline_ns = earlier(own.context.deadline_ns, after(start, service.deadline_ns));
  }
  if (caller.spans != nullptr) {
    own.span = caller.spans->add({.parent = caller.span,
                                  .implementation = &implementation,
                                  .worker = &worker,
                                  .sent_ns = start,
                                  .begun_ns = start});
    if (own.span != Spans::kNone) own.spans = caller.spans;
  }
  // Nothing waits: it runs here and now.
  const auto times = [&](bool failed) {
    const Nanos ended = sampled || own.spans != nullptr ? now_ns() : start;
    if (own.spans != nullptr) own.spans->end(own.span, ended, failed);
    return sampled ? Times{.wait = 0, .run = ended - start} : Times{};
  };
  try {
    if (own.context.deadline_ns != 0 && start >= own.context.deadline_ns) {
      throw Error(ErrorCode::deadline_exceeded,
                  "call to " + service.name + " came after its deadline");
    }
    void* const handler = implementation.handler_on(worker, place);
    const Activating activating(&own);
    const Lent lent(caller.locals, own.locals);
    implementation.type.direct(handler, request, response);
  } catch (...) {
    fail_inline(site, implementation, place, times(true), own.context.deadline_ns);
  }
  implementation.count_done(nullptr, Ending::served, times(false));
  leave(implementation, place);
}

// run_here() of a call that may be a sampled one.
void run_drawn(const CallSite& site, const Direct& direct, const void* request, void* response) {
  metrics::Registry& registry = *site.callee->registry;
  const bool sampled = registry.sampled(site.count);
  const Nanos start = sampled ? now_ns() : 0;
  try {
    direct.run(direct.handler, request, response);
  } catch (...) {
    fail_here(site, sampled ? Times{.wait = 0, .run = now_ns() - start} : Times{});
  }
  metrics::Shard::count_up(*direct.done);
  if (sampled) {
    site.callee->implementations.front()->timers.record(registry.shard(),
                                                        {.wait = 0, .run = now_ns() - start});
  }
}

}  // namespace

Implementation* run_here_fully(const CallSite& site, const void* request, void* response) {
  if (const Direct* const direct = found_here(site)) {
    run_drawn(site, *direct, request, response);
    return nullptr;
  }
  Implementation& implementation = find_inline(site);
  if (implementation.type.coroutine) return &implementation;
  keep(site, implementation);
  run_fully(site, implementation, request, response);
  return nullptr;
}

void fail_here(const CallSite& site, Times times) {
  fail_inline(site, *site.callee->implementations.front(), 0, times);
}

}  // namespace penstock::call
