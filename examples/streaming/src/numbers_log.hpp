#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace streaming {

/// The numbers of what a process got, a line each, in a file of its own in the folder that
/// STREAMING_LOG names; without one nothing is written.
class NumbersLog {
 public:
  void write(std::uint64_t number) const {
    if (file_) std::fprintf(file_.get(), "%llu\n", static_cast<unsigned long long>(number));
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  static std::FILE* open() {
    const char* const folder = std::getenv("STREAMING_LOG");
    if (folder == nullptr) return nullptr;
    const std::string path = std::string(folder) + "/" + std::to_string(getpid()) + ".log";
    std::FILE* const file = std::fopen(path.c_str(), "we");
    // Each line at once: a process that is killed has written what it has got.
    if (file != nullptr) std::setvbuf(file, nullptr, _IOLBF, BUFSIZ);
    return file;
  }
  std::unique_ptr<std::FILE, Close> file_{open()};
};

}  // namespace streaming
