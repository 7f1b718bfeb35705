#include "penstock/message/failure.hpp"

#include "penstock/codec/json.hpp"

namespace penstock {

void encode_json(const Failure& failure, std::string& out) { codec::append_json(failure, out); }

}  // namespace penstock
