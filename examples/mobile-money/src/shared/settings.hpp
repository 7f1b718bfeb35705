#pragma once

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

namespace sample {

/// A whole number from the environment, or `otherwise` when there is none.
inline int setting(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  int value = otherwise;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
  return value > 0 ? value : otherwise;
}

inline std::string setting(const char* name, const std::string& otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::string(text);
}

}  // namespace sample
