#include "penstock/flow/source/file_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

namespace penstock::flow {

namespace {

constexpr std::size_t kChunk = std::size_t{64} * 1024;

std::string last_error() { return std::system_category().message(errno); }

}  // namespace

FileSource::FileSource(Flow& flow, Settings settings)
    : PacedSource(flow, settings.per_second), settings_(std::move(settings)) {}

FileSource::~FileSource() {
  stop_for_good();
  if (file_ >= 0) ::close(file_);
}

std::string FileSource::open() {
  // Non-blocking: a named pipe is refused below instead of waited for.
  file_ = ::open(settings_.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) return "cannot be opened (" + last_error() + ")";
  struct stat status {};
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) return "is no regular file";
  return {};
}

std::string FileSource::prepare() {
  const std::string reason = open();
  if (reason.empty()) return {};
  return "/path: " + settings_.path + " " + reason +
         "; it is looked for from the folder the binary is started in";
}

bool FileSource::emit_next() noexcept {
  try {
    const Line found = read_line();
    if (found == Line::none) return start_again();
    if (found == Line::good) {
      take(line_);
    } else {
      flow().count_failed_source();
      report("is longer than " + std::to_string(kLongestLine) + " bytes");
    }
  } catch (const std::exception& error) {
    // Out of memory: this line is lost, the next one may be shorter.
    flow().count_failed_source();
    report(error.what());
  }
  return true;
}

void FileSource::take(const std::string& line) {
  Event& event = flow().make_event();
  JsonError error;
  bool good = false;
  try {
    good = settings_.read(line, event, error);
  } catch (...) {
    flow().free_event(event);
    throw;
  }
  if (good) {
    ++good_;
    ++good_in_pass_;
    emit(event);
    return;
  }
  flow().free_event(event);
  flow().count_failed_source();
  // The line's number in the file says more than that of the text, which is always 1.
  report((error.pointer.empty() ? "" : error.pointer + ": ") + error.reason + " (column " +
         std::to_string(error.column) + ")");
}

FileSource::Line FileSource::read_line() {
  for (;;) {
    line_.clear();
    bool too_long = false;
    bool any = false;
    for (bool ended = false; !ended;) {
      if (at_ == chunk_.size() && !fill()) break;
      any = true;
      const std::size_t newline = chunk_.find('\n', at_);
      ended = newline != std::string::npos;
      const std::size_t to = ended ? newline : chunk_.size();
      too_long = too_long || line_.size() + (to - at_) > kLongestLine;
      if (too_long) {
        line_.clear();
      } else {
        line_.append(chunk_, at_, to - at_);
      }
      at_ = ended ? to + 1 : to;
      if (stopping()) return Line::none;
    }
    if (!any) return Line::none;
    ++number_;
    if (too_long) return Line::too_long;
    if (line_.find_first_not_of(" \t\r") != std::string::npos) return Line::good;
  }
}

bool FileSource::fill() {
  chunk_.resize(kChunk);
  at_ = 0;
  ssize_t bytes = 0;
  do {
    bytes = ::read(file_, chunk_.data(), chunk_.size());
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0 && settings_.say)
    settings_.say(settings_.path + ": cannot be read on (" + last_error() + ")");
  chunk_.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  return bytes > 0;
}

bool FileSource::start_again() {
  if (stopping()) return false;
  // A pass without an event would be followed by many more.
  if (settings_.loop && good_in_pass_ != 0 && ::lseek(file_, 0, SEEK_SET) == 0) {
    number_ = 0;
    good_in_pass_ = 0;
    return true;
  }
  if (settings_.say) {
    settings_.say("flow " + flow().name() + ": " + settings_.path + " is read: " +
                  std::to_string(good_) + " events, " + std::to_string(bad_) + " bad lines");
  }
  return false;
}

void FileSource::report(const std::string& reason) {
  ++bad_;
  if (!settings_.say || bad_ > kMostReported) return;
  settings_.say("flow " + flow().name() + ": " + settings_.path + ", line " +
                std::to_string(number_) + ": " + reason);
  if (bad_ == kMostReported) {
    settings_.say("flow " + flow().name() + ": " + settings_.path +
                  ": more bad lines are counted, not reported");
  }
}

}  // namespace penstock::flow
