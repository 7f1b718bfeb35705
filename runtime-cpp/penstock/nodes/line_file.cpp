#include "penstock/nodes/line_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "penstock/base/error.hpp"

namespace penstock::nodes {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  const int reason = errno;
  const bool full = reason == ENOSPC || reason == EDQUOT;
  throw Error(full ? ErrorCode::resource_exhausted : ErrorCode::internal,
              path + " cannot be " + what + ": " + std::generic_category().message(reason));
}

}  // namespace

LineFile::~LineFile() {
  try {
    flush();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): there is nobody left to tell
  }
  if (file_ >= 0) ::close(file_);
}

void LineFile::open() {
  // Append: several processes, or a rotation that truncates the file, do no harm.
  constexpr int kMode = 0644;
  file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
  if (file_ < 0) {
    text_.clear();
    fail(path_, "opened");
  }
}

void LineFile::end_line() {
  text_ += '\n';
  if (text_.size() > buffer_) flush();
}

void LineFile::flush() {
  if (text_.empty()) return;
  if (file_ < 0) open();
  if (torn_) text_.insert(0, 1, '\n');
  std::string_view rest = text_;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      const std::size_t done = text_.size() - rest.size();
      if (done != 0) torn_ = text_[done - 1] != '\n';
      text_.clear();
      fail(path_, "written");
    }
  }
  text_.clear();
  torn_ = false;
}

}  // namespace penstock::nodes
