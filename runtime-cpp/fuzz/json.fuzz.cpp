// Any bytes are a message or are refused with a place; what is accepted is written in a way that
// says the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "support/json_sample.hpp"

namespace {

using penstock::JsonError;
using penstock::testing::Sample;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string written(const Sample& message) {
  std::string out;
  penstock::codec::append_json(message, out);
  return out;
}

void check_accepted(const Sample& message) {
  const std::string once = written(message);
  // Another reader agrees that this is JSON.
  require(nlohmann::json::accept(once));
  Sample again;
  JsonError error;
  require(penstock::codec::parse_json(once, again, error));
  // Compared as texts: NaN is no equal of itself.
  require(written(again) == once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Sample message;
  JsonError error;
  const bool accepted = penstock::codec::parse_json(text, message, error);
  {
    // Leniency about names takes no less, and reads the same.
    const penstock::codec::IgnoringUnknownNames lenient;
    Sample same;
    JsonError other;
    const bool taken = penstock::codec::parse_json(text, same, other);
    require(taken || !accepted);
    require(!accepted || written(same) == written(message));
  }
  if (accepted) {
    check_accepted(message);
    return 0;
  }
  require(!error.reason.empty());
  require(error.pointer.empty() || error.pointer.front() == '/');
  require(error.line >= 1 && error.column >= 1 && error.line <= size + 1 &&
          error.column <= size + 1);
  return 0;
}
