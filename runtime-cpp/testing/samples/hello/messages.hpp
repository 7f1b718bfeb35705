#pragma once

#include <cstdint>
#include <penstock/message.hpp>

namespace hello {

using Failure = ::penstock::Failure;

struct Terms {
  std::int64_t a = 0;
  std::int64_t b = 0;
  friend bool operator==(const Terms&, const Terms&) = default;
};

struct Sum {
  std::int64_t value = 0;
  friend bool operator==(const Sum&, const Sum&) = default;
};

}  // namespace hello
