#pragma once

#include <penstock/error.hpp>
#include <string>
#include <string_view>

#include "penstock/json/error.hpp"

namespace penstock {

/// The built-in message: what a flow's `catch` stage is given.
struct Failure {
  ErrorCode code = ErrorCode::unknown;
  std::string message;
  /// Name of the flow; empty outside of one.
  std::string flow;
  /// Id of the stage that failed.
  std::string stage;

  friend bool operator==(const Failure&, const Failure&) = default;
};

// JSON as generated messages have it: encode_json() appends; decode_json() is false for a text that
// is no such message, with the reason in `error`.
void encode_json(const Failure& failure, std::string& out);
[[nodiscard]] bool decode_json(std::string_view text, Failure& failure, JsonError& error);

}  // namespace penstock
