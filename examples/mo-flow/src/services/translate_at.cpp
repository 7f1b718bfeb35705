#include "services/translate_at.hpp"

#include <cstdio>

namespace mo_flow {

namespace {

/// As a JSON string: what a phone sends may hold anything.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char sign : text) {
    if (sign == '"' || sign == '\\') {
      out += '\\';
      out += sign;
    } else if (static_cast<unsigned char>(sign) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(sign));
      out += escaped;
    } else {
      out += sign;
    }
  }
  return out + '"';
}

}  // namespace

AtMessage TranslateAt::handle(const Delivery& request) {
  const Turn& turn = request.turn;
  return {.id = turn.command.id,
          .receivedUs = turn.command.receivedUs,
          .path = request.path,
          .body = "{\"id\":" + std::to_string(turn.command.id) + ",\"session\":" +
                  std::to_string(turn.session) + ",\"turn\":" + std::to_string(turn.number) +
                  ",\"sender\":" + quoted(turn.command.sender) +
                  ",\"keyword\":" + quoted(turn.command.keyword) +
                  ",\"arguments\":" + quoted(turn.command.arguments) + "}"};
}

}  // namespace mo_flow
