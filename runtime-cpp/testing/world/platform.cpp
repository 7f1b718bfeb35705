// What the runtime asks of the operating system, given by the world: stands for
// concurrent/futex.cpp and concurrent/barrier.cpp, and for what base/time.hpp and
// concurrent/pause.hpp leave to it.
#include <system_error>

#include "penstock/base/time.hpp"
#include "penstock/concurrent/barrier.hpp"
#include "penstock/concurrent/futex.hpp"
#include "penstock/concurrent/pause.hpp"
#include "world/thread.hpp"
#include "world/world.hpp"

namespace penstock {

Nanos now_ns() noexcept {
  world::step();
  // So that who does nothing but look at the clock comes to an end.
  if (world::World* const here = world::World::current()) here->read_clock();
  return world::now();
}

namespace concurrent {

// All threads see one order of all operations: nothing is to be done for that.
const bool detail::kernel_has_membarrier = true;
void detail::locked_barrier() noexcept {}
void heavy_barrier() noexcept { world::step_to_write(); }

void pause() noexcept { world::pause(); }

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                Nanos deadline_ns) noexcept {
  // The look and the beginning of the wait are one, as in the kernel.
  if (word.load() == expected) {
    world::wait_at(&word, deadline_ns, __builtin_return_address(0));
  }
  world::step();
}

void futex_wake(const std::atomic<std::uint32_t>& word, int count) noexcept {
  world::step();
  world::wake_at(&word, count);
}

}  // namespace concurrent

namespace world {

unsigned start_thread(std::function<void()> body) {
  World* const here = World::current();
  if (here == nullptr) {
    throw std::system_error(EPERM, std::generic_category(), "a thread of no world");
  }
  const unsigned number = here->start(std::move(body));
  step_to_write();
  return number;
}
void join_thread(unsigned number) noexcept { World::current()->join(number); }
unsigned this_thread() noexcept { return World::current()->running(); }
void name_thread(unsigned number, const char* name) { World::current()->name(number, name); }

}  // namespace world
}  // namespace penstock
