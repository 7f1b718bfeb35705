// Any two texts are the definitions of a message at two ends, or are refused; what is equal is
// understood, and a frame says what it was given.
#include "penstock/net/wire/definitions.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace penstock::net::wire;

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_known(std::string_view text) {
  const std::string why = why_unreadable({text, text, Writer::here});
  require(why.empty() || why == "they are not known there" || why == "they are not known here" ||
          why == "they hold too many others to be compared" ||
          why == "they are too long to be compared");
  return why.empty();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Definitions said;
  if (read_definitions(bytes, said)) {
    std::string again(penstock::net::wire::size(said), '\0');
    write(again.data(), said);
    require(again == bytes);
  }
  // Of both ends, with a line between them.
  const std::size_t middle = bytes.find("\n\n");
  const std::string_view here =
      bytes.substr(0, middle == std::string_view::npos ? size : middle + 1);
  const std::string_view there = middle == std::string_view::npos ? here : bytes.substr(middle + 2);
  const bool both_known = is_known(here) && is_known(there);
  for (const Writer writer : {Writer::here, Writer::there}) {
    const std::string why = why_unreadable({here, there, writer});
    require(both_known || !why.empty() || here == there);
  }
  return 0;
}
