#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace compare {

/// A folder that is gone with it.
struct Folder {
  Folder() {
    char name[] = "/tmp/penstock-bench-XXXXXX";
    path = mkdtemp(name);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

}  // namespace compare
