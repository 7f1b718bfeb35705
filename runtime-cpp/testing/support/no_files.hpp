#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace penstock::testing {

/// As long as there is one, this process opens no further file, makes no memory to share, and calls
/// no poll().
class NoFiles {
 public:
  NoFiles() {
    EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before_), 0);
    // What is open stays so. Not up to the first number that is free: another thread may free a
    // lower one.
    const rlimit none{0, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;
  ~NoFiles() { EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before_), 0); }

 private:
  rlimit before_{};
};

}  // namespace penstock::testing
