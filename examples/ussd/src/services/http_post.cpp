#include "services/http_post.hpp"

namespace ussd {

namespace {

/// As a JSON string; menus are ours and hold no control signs but line ends.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char sign : text) {
    if (sign == '"' || sign == '\\') out += '\\';
    if (sign == '\n')
      out += "\\n";
    else
      out += sign;
  }
  return out + '"';
}

}  // namespace

Reply HttpPost::handle(const Screen& request) {
  const std::string body =
      "{\"id\":" + std::to_string(request.id) + ",\"session\":" + std::to_string(request.session) +
      ",\"msisdn\":" + quoted(request.msisdn) + ",\"ends\":" + (request.ends ? "true" : "false") +
      ",\"text\":" + quoted(request.text) + "}";
  return {.status = state.client.post(shared->port, "/screen", body)};
}

}  // namespace ussd
