#include "services/addition.hpp"

#include <cstdint>

namespace hello {

Sum Addition::handle(const Terms& request) {
  // Wraps around instead of overflowing.
  const auto sum = static_cast<std::uint64_t>(request.a) + static_cast<std::uint64_t>(request.b);
  return {.value = static_cast<std::int64_t>(sum)};
}

}  // namespace hello
