#include "penstock/exec/this_worker.hpp"

#include <sched.h>

#include "penstock/exec/pool.hpp"

namespace penstock {

std::optional<ThisWorker> this_worker() noexcept {
  const exec::Worker* const worker = exec::Worker::current();
  if (worker == nullptr) return std::nullopt;
  return ThisWorker{
      .pool = worker->pool().name(), .thread = worker->index(), .cpu = sched_getcpu()};
}

}  // namespace penstock
