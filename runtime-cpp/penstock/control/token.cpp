#include "penstock/control/token.hpp"

#include <stdexcept>

#include "penstock/base/random_bytes.hpp"
#include "penstock/http/bearer.hpp"

namespace penstock::control {

std::string random_token() { return hex_of(random_bytes<32>()); }

Token token_from_environment() {
  Token token{http::take_from_environment("PENSTOCK_CONTROL_TOKEN"), true};
  if (token.value.empty()) return {random_token(), false};
  if (!http::is_token(token.value)) {
    throw std::invalid_argument(
        "PENSTOCK_CONTROL_TOKEN has a blank or a character that is not ASCII; "
        "use 32 random bytes in hex");
  }
  return token;
}

}  // namespace penstock::control
