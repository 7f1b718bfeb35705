#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

namespace penstock::testing {

/// A nice level that every user may set from here, and another one than the caller's unless that is
/// the last.
[[nodiscard]] inline int allowed_priority() {
  return std::min(getpriority(PRIO_PROCESS, 0) + 5, 19);
}

/// From here on the kernel lets this thread, and those that it starts, change no nice level, as
/// without CAP_SYS_NICE, which root may have. False when it cannot be had.
[[nodiscard]] inline bool refuse_priorities() {
  const std::array<sock_filter, 4> code{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setpriority, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{static_cast<unsigned short>(code.size()),
                           const_cast<sock_filter*>(code.data())};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace penstock::testing
