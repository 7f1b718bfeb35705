#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "penstock/control/host.hpp"

/// JSON-RPC 2.0 as `WS /live` speaks it: decoding a message into a typed, checked command, and
/// encoding its answer. Pure text in, text out.
namespace penstock::control {

/// JSON-RPC's own error codes.
enum class RpcCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  refused = -32000,  ///< the binary could not do it; the old setting stays
  busy = -32001,     ///< too many commands wait already
};

struct RpcFailure {
  std::optional<std::int64_t> id;
  RpcCode code = RpcCode::invalid_request;
  std::string message;
  std::string problem;  ///< stable code of the rule (`PS...`), empty where none applies
  std::string help;
  /// False where the text is no JSON-RPC request at all: such a client is sent away.
  [[nodiscard]] bool is_request() const {
    return code != RpcCode::parse_error && code != RpcCode::invalid_request;
  }
};

struct RpcCall {
  std::int64_t id = 0;
  std::string method;
  Command command;
  std::string params = {};  ///< of a change, as asked: one line of JSON; empty: of any other call
};

/// Decodes one message. Shapes and ranges are checked here, names by check_names.
[[nodiscard]] std::variant<RpcCall, RpcFailure> decode_rpc(std::string_view text);

/// Refuses a pool, thread, flow, stage or service that the binary does not have; nothing when all
/// are there.
[[nodiscard]] std::optional<RpcFailure> check_names(const RpcCall& call,
                                                    const metrics::Schema& schema);

struct Answer {
  std::string text;
  std::string problem;                  ///< stable code, empty when the command is in force
  std::optional<Setting> setting = {};  ///< of a change of one number that is in force
};

/// Carries a command out on the host (blocking; not for Watch). Never throws what the host throws.
[[nodiscard]] Answer perform(const RpcCall& call, Host& host);

[[nodiscard]] std::string encode_failure(const RpcFailure& failure);
[[nodiscard]] std::string encode_watch(std::int64_t id, std::int64_t interval_ms);

}  // namespace penstock::control
