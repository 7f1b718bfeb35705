#pragma once

#include <unistd.h>

namespace penstock::testing {

/// What a handler does that is stuck for good.
[[noreturn]] inline void never_return() {
  for (;;) pause();
}

}  // namespace penstock::testing
