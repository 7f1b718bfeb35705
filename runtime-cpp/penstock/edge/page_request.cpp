#include <utility>

#include "penstock/edge/connection.hpp"
#include "penstock/edge/page_files.hpp"

namespace penstock::edge {

namespace {

constexpr std::string_view kDocument = "/openapi.json";

/// What the page may load and do: files of its own, questions to its own origin. Texts become
/// markup nowhere, and nobody puts it into a frame.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for "
    "'script'";

}  // namespace

bool Connection::take_for_page(const http::RequestHead& head) {
  if (head.method != "GET" || head.has_body) return false;
  http::Reply reply;
  if (head.target == kDocument && !shared_.exposed.openapi.empty()) {
    reply.constant = shared_.exposed.openapi;
  } else if (const PageFile* const file =
                 shared_.options.beyond ? nullptr : find_page_file(head.target)) {
    reply.type = file->type;
    reply.constant = file->text;
    reply.fields = {{"Content-Security-Policy", kPolicy},
                    {"Referrer-Policy", "no-referrer"},
                    {"Cross-Origin-Opener-Policy", "same-origin"},
                    {"Cross-Origin-Resource-Policy", "same-origin"}};
  } else {
    return false;
  }
  answer_page(std::move(reply), true);
  return true;
}

}  // namespace penstock::edge
