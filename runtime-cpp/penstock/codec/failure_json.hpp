#pragma once

#include <penstock/json/error.hpp>
#include <penstock/message/failure.hpp>
#include <string>
#include <string_view>

namespace penstock::codec {

/// The one message that no generated code knows as JSON (codec/json.hpp says how it looks).
[[nodiscard]] bool read_failure_json(std::string_view text, Failure& failure, JsonError& error);
void append_failure_json(const Failure& failure, std::string& out);

}  // namespace penstock::codec
