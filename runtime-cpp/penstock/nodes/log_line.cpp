#include "penstock/nodes/log_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "penstock/base/utf8.hpp"

namespace penstock::nodes {

namespace {

void append_escaped(std::string& line, unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  line += "\\x";
  line += kDigits[byte >> 4U];
  line += kDigits[byte & 15U];
}

}  // namespace

void append_printable(std::string& line, std::string_view text) {
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t taken = std::max<std::size_t>(utf8_length(text), 1);
    // U+0080 to U+009F, and their bytes alone, steer a terminal as well.
    const bool steers_in_two =
        taken == 2 && byte == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
    const bool steers = byte < 0x20 || byte == 0x7f || (taken == 1 && byte >= 0x80 && byte < 0xa0);
    if (byte == '\n') {
      line += "\\n";
    } else if (byte == '\\') {
      line += "\\\\";
    } else if (steers || steers_in_two) {
      for (const char one : text.substr(0, taken))
        append_escaped(line, static_cast<unsigned char>(one));
    } else {
      line += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
}

void write_log_line(std::string_view name, std::string_view line) {
  thread_local std::string whole;
  whole.assign(name).append(": ").append(line).append("\n");
  // One call: lines of several threads do not mix. What cannot be written is nobody's failure.
  std::string_view rest = whole;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (written > 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace penstock::nodes
