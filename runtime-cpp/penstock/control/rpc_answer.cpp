#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>

#include "penstock/control/problem_codes.hpp"
#include "penstock/control/rpc.hpp"
#include "penstock/json/plain_writer.hpp"

namespace penstock::control {
namespace {

/// An answer to one call, up to what it says.
class AnswerWriter : public json::PlainWriter {
 public:
  explicit AnswerWriter(std::optional<std::int64_t> id) {
    open('{');
    field("jsonrpc", "2.0");
    field("id", id);
  }
};

void write(AnswerWriter& out, const Setting& setting) {
  out.field("asked", setting.asked);
  out.field("actual", setting.actual);
}

void write(AnswerWriter& out, const Pinning& pinning) {
  out.list("asked", pinning.asked);
  out.list("actual", pinning.actual);
}

void write(AnswerWriter& out, const Adapting& adapting) {
  out.field("from", adapting.bounds.from);
  out.field("to", adapting.bounds.to);
  out.field("on", adapting.on);
  out.field("threads", adapting.threads);
}

void write(AnswerWriter& out, const Ruling& ruling) {
  out.field("on", ruling.on);
  out.field("preset", json::none_if_empty(ruling.preset));
}

void write(AnswerWriter& out, const Joined& joined) {
  out.field("pool", json::none_if_empty(joined.pool));
  out.field("threads", joined.threads);
  out.field("tookMs", joined.took_ms);
}

void write(AnswerWriter& out, const Asked& asked) {
  if (asked.error_code.empty()) {
    out.key("answer");
    out.raw(asked.answer);
  } else {
    out.key("error");
    out.open('{');
    out.field("code", asked.error_code);
    out.field("message", asked.error_message);
    out.close('}');
  }
  out.field("tookMs", asked.took_ms);
  if (asked.trace.empty()) return;
  out.each("trace", asked.trace, [&out](const AskedCall& call) {
    out.open('[');
    out.cells(call.parent, call.service, call.implementation, call.thread, call.at_us, call.wait_us,
              call.run_us, std::uint32_t{call.failed ? 1U : 0U});
    out.close(']');
  });
}

Answer failed(const RpcFailure& failure) { return {encode_failure(failure), failure.problem}; }

template <class T>
Answer encode_outcome(std::int64_t id, const Outcome<T>& outcome) {
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
    return failed({id, RpcCode::refused, refusal->message, refusal->code, refusal->help});
  }
  AnswerWriter out(id);
  out.key("result");
  out.open('{');
  write(out, std::get<T>(outcome));
  out.close('}');
  Answer answer{out.end(), ""};
  if constexpr (std::is_same_v<T, Setting>) answer.setting = std::get<T>(outcome);
  return answer;
}

struct Performer {
  std::int64_t id;
  Host& host;
  template <class Asked>
  Answer operator()(const Asked& command) const {
    return encode_outcome(id, command.ask(host));
  }
  Answer operator()(const Watch& /*command*/) const {
    return failed({id, RpcCode::method_not_found, "Not a command of the binary.", "", ""});
  }
};

}  // namespace

Answer perform(const RpcCall& call, Host& host) {
  try {
    return std::visit(Performer{call.id, host}, call.command);
  } catch (const std::exception& error) {
    // The binary goes on whatever a command runs into; the one who asked is told.
    return failed({call.id, RpcCode::refused, call.method + " failed: " + error.what(),
                   problem::kNotPossibleNow,
                   std::holds_alternative<AskService>(call.command)
                       ? "The binary goes on; try again."
                       : "The old setting stays in force."});
  }
}

std::string encode_failure(const RpcFailure& failure) {
  AnswerWriter out(failure.id);
  out.key("error");
  out.open('{');
  out.field("code", static_cast<int>(failure.code));
  out.field("message", failure.message);
  if (!failure.problem.empty()) {
    out.key("data");
    out.open('{');
    out.field("code", failure.problem);
    out.field("help", failure.help);
    out.close('}');
  }
  out.close('}');
  return out.end();
}

std::string encode_watch(std::int64_t id, std::int64_t interval_ms) {
  AnswerWriter out(id);
  out.key("result");
  out.open('{');
  out.field("intervalMs", interval_ms);
  out.close('}');
  return out.end();
}

}  // namespace penstock::control
