#pragma once

#include <utility>

namespace penstock::codec {

/// On this thread, names in JSON that are no field's are left out instead of refused.
inline thread_local bool unknown_names_ignored = false;

/// While it is there, on its thread: for clients whose messages may be newer than ours.
class IgnoringUnknownNames {
 public:
  IgnoringUnknownNames() noexcept : before_(std::exchange(unknown_names_ignored, true)) {}
  IgnoringUnknownNames(const IgnoringUnknownNames&) = delete;
  IgnoringUnknownNames& operator=(const IgnoringUnknownNames&) = delete;
  ~IgnoringUnknownNames() { unknown_names_ignored = before_; }

 private:
  const bool before_;
};

}  // namespace penstock::codec
