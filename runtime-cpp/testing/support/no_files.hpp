#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace penstock::testing {

/// As long as there is one, this process opens no further file, and makes no memory to share.
class NoFiles {
 public:
  NoFiles() {
    EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before_), 0);
    const int first_free = dup(0);
    close(first_free);
    const rlimit none{static_cast<rlim_t>(first_free), before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;
  ~NoFiles() { EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before_), 0); }

 private:
  rlimit before_{};
};

}  // namespace penstock::testing
