#include "penstock/codec/failure_json.hpp"

#include "penstock/codec/json.hpp"

namespace penstock::codec {

bool read_failure_json(std::string_view text, Failure& failure, JsonError& error) {
  return parse_json(text, failure, error);
}

void append_failure_json(const Failure& failure, std::string& out) { append_json(failure, out); }

}  // namespace penstock::codec
