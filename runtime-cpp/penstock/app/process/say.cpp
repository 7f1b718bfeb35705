#include "penstock/app/process/say.hpp"

#include <poll.h>
#include <unistd.h>

#include <climits>
#include <cstdio>

namespace penstock::app {

void say(const std::string& text) { std::fputs((text + "\n").c_str(), stderr); }

void say_or_lose(const std::string& text) {
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end =
        text.size() - from < PIPE_BUF ? std::string::npos : text.find('\n', from);
    const std::string part = text.substr(from, end == std::string::npos ? end : end - from);
    pollfd standard_error{STDERR_FILENO, POLLOUT, 0};
    if (part.size() >= PIPE_BUF || poll(&standard_error, 1, 0) != 1) return;
    say(part);
    if (end == std::string::npos) return;
    from = end + 1;
  }
}

}  // namespace penstock::app
