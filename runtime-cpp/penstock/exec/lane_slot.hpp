#pragma once

namespace penstock::exec {

/// The number of a thread among those that have lanes of their own to workers: all workers, as far
/// as there are numbers, and some threads from outside. The thread has it while this lives; who
/// gets it next sees all that was done with the lanes before.
class LaneSlot {
 public:
  static constexpr unsigned kSlots = 64;
  static constexpr unsigned kNone = kSlots;  ///< there was none left, or the thread is ending
  static constexpr unsigned kNotAsked = kSlots + 1;  ///< the thread has not posted yet

  enum class For { worker, outsider };

  /// Writes the number, or kNone, to `variable`, which is the thread's own.
  LaneSlot(unsigned& variable, For whom) noexcept;
  LaneSlot(const LaneSlot&) = delete;
  LaneSlot& operator=(const LaneSlot&) = delete;
  /// Leaves kNone there.
  ~LaneSlot();

 private:
  unsigned& variable_;
  const For whom_;
};

}  // namespace penstock::exec
