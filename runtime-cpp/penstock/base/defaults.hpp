#pragma once

#include <cstddef>
#include <cstdint>

#include "penstock/base/time.hpp"

/// Every default of the runtime in one place, each with its reason. What a user may set (queue,
/// overflow, idle, sampling ...) has its default in the configuration, not here.
namespace penstock::defaults {

// --- idle workers ---

/// Looks at the mailbox before a worker calls itself idle: about a microsecond, so that a busy
/// pair of threads never touches a clock or the pool's idle map.
inline constexpr int kEagerLooks = 64;
/// Longest spin of an `adaptive` worker before it sleeps, in looks. With the pause between looks
/// this is about 20 us, less than the 40 us that a futex sleep and wake cost each way.
inline constexpr int kSpinLooks = 1000;
/// An adaptive worker halves its spin each time it was in vain and starts afresh when work came in
/// time; after this many sleeps in a row it tries a full spin again, because load changes.
inline constexpr int kSleepsBeforeSpinRetry = 64;
/// Workers of one process that may spin at once under `adaptive`, as a share of its CPUs: the
/// other CPUs must be free for those who have work.
inline constexpr int kSpinnersPerCpuPercent = 100;

// --- worker loop ---

/// Jobs between two looks at the timers, so that a flooded mailbox cannot starve a deadline.
inline constexpr int kJobsPerTimerLook = 32;

/// Jobs that a worker takes from one queue before it looks at the next one: enough to pay for the
/// look, few enough that no queue waits long for another.
inline constexpr int kJobsPerTurn = 16;
/// How far ahead of the job it runs a worker fetches: a few jobs of 20 ns hide a line's way from
/// another core.
inline constexpr std::uint32_t kPrefetchDistance = 4;
/// Pauses that a worker waits for a batch to gather, once that pays (Worker::slip); about 0.4 us,
/// in which a poster that has the cache lines for itself writes a hundred jobs. It pays from this
/// batch on; who does not slip tries it each so many times it goes idle, more seldom after each
/// trial in vain.
inline constexpr int kSlip = 16;
inline constexpr int kBatchWorthSlip = 4;
inline constexpr int kIdlesPerSlipTrial = 64;
inline constexpr int kMostIdlesPerSlipTrial = 2048;
/// Turns of a worker's own queues after which it also takes from its pool's shared queue, although
/// its own are not empty.
inline constexpr int kTurnsPerSharedLook = 4;
/// Jobs between two sleeps from which on a worker counts as busy: its posters then spare the locked
/// operation at each job (about 10 ns), and it pays for that with one membarrier at its next sleep
/// (8 us where another thread of the process runs, measured on 2 virtual CPUs).
inline constexpr int kBusyStreak = 1024;

/// Threads from outside that get a lane of their own to the workers they post to (0.7 kB each
/// pair), of 64 in all; later ones share the mailbox, which costs them a locked operation at each
/// post.
inline constexpr unsigned kLanesForOutsiders = 16;

// --- pools of several threads ---

/// The worker that searches looks at what waits near the others that often, the first time sooner.
/// What waits behind a long handler is found by the second look that sees it: in 0.15 ms. A look is
/// a sleep with an alarm and costs some 3 us, 3 % of a CPU that has nothing else to do.
inline constexpr Nanos kSearchNanos = 100'000;
inline constexpr Nanos kFirstSearchNanos = 20'000;
/// Looks in a row in which no worker gave itself anything, after which nobody searches any more.
inline constexpr int kVainLooks = 8;
/// Somebody waits too long when nothing was taken from in front of it for so long, or when it would
/// wait as long at the rate of late: several times what it costs to run on another CPU.
inline constexpr Nanos kStandstillNanos = 20'000;
inline constexpr Nanos kLongWaitNanos = 50'000;
/// Requests that change threads at once, at most.
inline constexpr std::size_t kMostTaken = 32;

// --- queue limits ---

/// A worker that finds room in another's queue may use a share of it, up to kMostCredit requests,
/// without looking again, so that busy pairs do not pass a counter to and fro. Below this room
/// every request looks, so that small limits are exact.
inline constexpr std::uint64_t kLeastRoomForCredit = 64;
inline constexpr std::uint64_t kMostCredit = 64;

// --- partitions ---

/// Places over which the values of a partitioned service are spread, a power of two. Four for each
/// thread of a pool of 16: two busy values then meet in one place seldom enough (1 in 64) that the
/// threads stay busy. At 512 bytes each, and a handler object when first used, 64 cost less than
/// a thread's stack.
inline constexpr std::uint32_t kPartitions = 64;

// --- timers ---

/// A timer wheel's tick is 2^16 ns (65.5 us): fine enough for millisecond deadlines, coarse enough
/// that six wheels of 64 slots reach 52 days.
inline constexpr unsigned kTickBits = 16;

// --- memory ---

/// Frames come from per-thread lists in steps of 64 bytes up to this size; larger ones from malloc.
inline constexpr std::size_t kLargestRecycledBytes = 2048;
/// Free blocks of one size go from thread to thread in lists of so many bytes; a thread keeps two.
/// Thousands of calls under way at once find theirs there, for one lock a list.
inline constexpr std::size_t kRecycledListBytes = 128 << 10;
/// What lies between the threads, of one size; more goes back to malloc (after a burst).
inline constexpr std::size_t kRecycledBytesKept = 1 << 20;

// --- flows ---

/// Free events that change threads at once, so that the lock on the way costs each a nanosecond or
/// two; and how many such batches of one size wait for a thread that needs them.
inline constexpr std::size_t kEventsPerBatch = 64;
inline constexpr std::size_t kEventBatchesKept = 64;
/// Values that go together, at most, and how many bytes of them; fewer where a worker would run
/// them for longer than that, so that no other one stands idle meanwhile and none waits.
inline constexpr std::uint32_t kMostInChunk = 64;
inline constexpr std::size_t kChunkBytes = 16384;
inline constexpr Nanos kChunkNanos = 10'000;
/// Stages that run as one, at most; longer chains are several of these.
inline constexpr std::size_t kMostStepsAtOnce = 16;

/// A source that was held back by a full queue makes up for at most this much of the missed time,
/// and skips the rest: a burst of everything missed would fill the queue again at once.
inline constexpr Nanos kSourceCatchUp = 100'000'000;

// --- joins ---

/// Threads that a cached join gets at most. Each is a stack and a place in the scheduler; work that
/// blocks longer than these can hide needs another design.
inline constexpr unsigned kMostCachedThreads = 256;
/// A cached join keeps the threads that were busy at once within this time; the others leave.
inline constexpr Nanos kCachedIdleNanos = 5'000'000'000;
/// Between two looks at cached joins: while a join that is full grows, and while nothing happens.
inline constexpr Nanos kCachedGrowNanos = 1'000'000;
inline constexpr Nanos kCachedLookNanos = 100'000'000;
/// So long at most threads that a cached join got are awaited before it gets more.
inline constexpr Nanos kCachedAwaitNanos = 20'000'000;

// --- life cycle ---

/// SIGTERM to exit: sources stop at once, work in flight has this long. Below the five seconds
/// after which a supervisor kills.
inline constexpr Nanos kDrainNanos = 4'000'000'000;
/// How long the last answers over HTTP may take to be written, once everything else has ended.
inline constexpr Nanos kGoodbyeNanos = 500'000'000;
/// How long a `pool.resize` waits for removed threads to finish before it answers.
inline constexpr Nanos kResizeWaitNanos = 900'000'000;

// --- watchdog ---

/// A handler that keeps its thread busy for longer is reported (`watchdogMs` of the configuration).
inline constexpr Nanos kWatchdogNanos = 5'000'000'000;
/// Between two looks at the workers: ten wake-ups a second are less than 0.1 % of a core.
inline constexpr Nanos kWatchdogLookNanos = 100'000'000;
/// How long a thread has to give its stack, once asked.
inline constexpr Nanos kStackPatienceNanos = 500'000'000;

// --- metrics ---

/// Percentiles are those of the last second's samples.
inline constexpr Nanos kLatencyWindow = 1'000'000'000;

}  // namespace penstock::defaults
