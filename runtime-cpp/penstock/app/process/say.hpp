#pragma once

#include <string>

namespace penstock::app {

/// One line, or several, on standard error.
void say(const std::string& text);

/// say() that loses the text rather than block, where the reader of standard error has stopped
/// reading: a pipe that poll() calls writable takes PIPE_BUF bytes without blocking. Longer texts
/// go line by line.
void say_or_lose(const std::string& text);

}  // namespace penstock::app
