#pragma once

#include <penstock/error.hpp>
#include <string>

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

/// Appends `failure` as JSON, as generated messages do.
void encode_json(const Failure& failure, std::string& out);

}  // namespace penstock
