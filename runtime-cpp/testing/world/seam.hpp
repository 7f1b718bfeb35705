#pragma once

/// Included before everything else in all that is compiled for a world: from here on `std` within
/// `penstock` means the standard library with the world's threads, locks, atomics and clock. What
/// is compiled is the runtime's own code as it stands.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

#include "world/atomic.hpp"
#include "world/mutex.hpp"
#include "world/thread.hpp"

namespace penstock::std {  // NOLINT(cert-dcl58-cpp): ours

using namespace ::std;

template <class T>
using atomic = world::Atomic<T>;
using mutex = world::Mutex;
using condition_variable = world::ConditionVariable;
using binary_semaphore = world::BinarySemaphore;
using thread = world::Thread;

namespace this_thread {

using world::sleep_until_ns;
inline void yield() noexcept { world::pause(); }
inline void sleep_for(::std::chrono::nanoseconds time) noexcept {
  sleep_until_ns(world::now() + time.count());
}
inline void sleep_until(::std::chrono::steady_clock::time_point at) noexcept {
  sleep_until_ns(::std::chrono::nanoseconds(at.time_since_epoch()).count());
}

}  // namespace this_thread

namespace chrono {

using namespace ::std::chrono;

struct steady_clock : ::std::chrono::steady_clock {
  static time_point now() noexcept { return time_point(nanoseconds(world::now())); }
};

}  // namespace chrono

// They would stop the one thread that the world has: a use does not compile.
class barrier;
class condition_variable_any;
class counting_semaphore;
class jthread;
class latch;
class promise;
class recursive_mutex;
class shared_mutex;
class timed_mutex;

}  // namespace penstock::std

namespace penstock {

// These hide the system's in what is compiled here: a name is for the trace.
inline unsigned long pthread_self() noexcept { return world::this_thread(); }
inline int pthread_setname_np(unsigned long thread, const char* name) noexcept {
  world::name_thread(static_cast<unsigned>(thread), name);
  return 0;
}

}  // namespace penstock
