#pragma once

/// What a configuration, a preset and a command may ask for, both ends included. The drawing is
/// checked against the same numbers: codegen/src/model/topology/schema/limits.ts, and a test there
/// compares the two.
namespace penstock::limits {

/// Threads of a pool, at most.
inline constexpr int kMostThreads = 1024;
/// The greatest index of a thread in its pool.
inline constexpr int kLastThread = kMostThreads - 1;
/// The greatest id of a CPU.
inline constexpr int kLastCpu = 1023;

/// Nice levels of a pool's threads: the first is served before the others.
inline constexpr int kFirstNice = -20;
inline constexpr int kLastNice = 19;

/// Calls or events that may wait in a queue, at most.
inline constexpr int kLongestQueue = 1'048'576;

/// Events a second, at most.
inline constexpr int kFastestRate = 1'000'000'000;

/// How long whoever asks over HTTP is kept waiting, at most, in milliseconds.
inline constexpr int kLongestTimeoutMs = 3'600'000;
/// What an HTTP source may be told to take in one body, in bytes, at most.
inline constexpr int kLargestBody = 16'777'216;

/// Seconds that a rate has to hold before a rule acts, at most.
inline constexpr int kLongestHoldS = 3600;

/// Greatest limit of the watchdog, in milliseconds.
inline constexpr int kLongestWatchMs = 3'600'000;

/// Silence after which a binary asks another one whether it is there, and after which it takes it
/// or its host for lost, in milliseconds.
inline constexpr int kShortestSilenceMs = 10;
inline constexpr int kLongestSilenceMs = 3'600'000;

}  // namespace penstock::limits
