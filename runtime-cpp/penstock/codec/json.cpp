#include "penstock/codec/json.hpp"

namespace penstock::codec {

std::size_t find_name(std::span<const JsonName> names, std::string_view key,
                      std::size_t likely) noexcept {
  for (std::size_t step = 0; step < names.size(); ++step) {
    const std::size_t at = (likely + step) % names.size();
    if (names[at].json == key || names[at].field == key) return at;
  }
  return names.size();
}

}  // namespace penstock::codec
