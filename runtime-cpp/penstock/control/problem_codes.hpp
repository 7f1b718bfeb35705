#pragma once

/// Stable codes of the problems a command can meet. The rules that the topology has too keep its
/// codes (the catalogue is codegen's `diagnostics`); PS750-PS799 are of the running binary.
namespace penstock::control::problem {

inline constexpr const char* kUnknownKey = "PS120";
inline constexpr const char* kMissingKey = "PS121";
inline constexpr const char* kWrongType = "PS122";
inline constexpr const char* kNotAChoice = "PS123";
inline constexpr const char* kRateOutOfRange = "PS420";
inline constexpr const char* kDeadlineOutOfRange = "PS760";
inline constexpr const char* kThreadsOutOfRange = "PS501";
inline constexpr const char* kBoundsOutOfRange = "PS519";
inline constexpr const char* kBoundsReversed = "PS520";
inline constexpr const char* kCpuOutOfRange = "PS504";
inline constexpr const char* kCpuTwice = "PS505";
inline constexpr const char* kNoSuchThread = "PS510";
inline constexpr const char* kQueueOutOfRange = "PS502";
inline constexpr const char* kJoinDoesNotFit = "PS515";  ///< sync-remote on one thread
inline constexpr const char* kNoSuchPool = "PS750";
inline constexpr const char* kNoSuchFlow = "PS751";
inline constexpr const char* kSamplingOutOfRange = "PS752";
inline constexpr const char* kAbsentCpu = "PS753";        ///< a pin to a CPU the machine lacks
inline constexpr const char* kNotPossibleNow = "PS754";   ///< the binary could not carry it out
inline constexpr const char* kTooManyCommands = "PS755";  ///< others wait already
inline constexpr const char* kNoSuchStage = "PS756";
inline constexpr const char* kNoSuchService = "PS757";
inline constexpr const char* kNoRequest = "PS758";      ///< not the message that a service takes
inline constexpr const char* kCannotBeAsked = "PS759";  ///< its messages have no JSON
inline constexpr const char* kNoBounds = "PS761";       ///< of a pool whose threads stay
inline constexpr const char* kNoSuchRule = "PS762";

}  // namespace penstock::control::problem
