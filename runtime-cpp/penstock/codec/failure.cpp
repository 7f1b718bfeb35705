#include "penstock/message/failure.hpp"

#include "penstock/codec/json.hpp"

namespace penstock {

void encode_json(const Failure& failure, std::string& out) { codec::append_json(failure, out); }

bool decode_json(std::string_view text, Failure& failure, JsonError& error) {
  return codec::parse_json(text, failure, error);
}

}  // namespace penstock
