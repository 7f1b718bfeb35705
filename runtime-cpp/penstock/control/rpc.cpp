#include "penstock/control/rpc.hpp"

#include <string>
#include <utility>

#include "penstock/base/limits.hpp"
#include "penstock/control/problem_codes.hpp"
#include "penstock/control/rpc_params.hpp"
#include "penstock/json/document.hpp"

namespace penstock::control {
namespace {

using json::Json;

[[noreturn]] void malformed(std::string reason) {
  reject(RpcCode::invalid_request, std::move(reason));
}

/// A join on a pool of the binary, or with threads of its own: in the words of the drawing.
Join decode_join(const Json& drawn, const std::string& method) {
  Join join;
  if (drawn.is_object() && drawn.contains("pool")) {
    const Params p(drawn, method, {"pool"}, "join");
    join.pool = p.text("pool");
    if (join.pool.empty()) p.wrong("pool", problem::kNoSuchPool, "Name a pool of the binary.");
    return join;
  }
  const Params p(drawn, method, {"threads", "queue", "overflow"}, "join");
  if (p.is_text("threads", "cached")) {
    join.threads = 0;
  } else {
    join.threads = p.integer("threads", 1, limits::kMostThreads, problem::kThreadsOutOfRange,
                             "threads, or \"cached\",");
  }
  if (p.has("queue")) {
    join.queue =
        p.integer("queue", 1, limits::kLongestQueue, problem::kQueueOutOfRange, "waiting events");
  }
  if (p.has("overflow")) {
    join.overflow = p.choice("overflow", {"block", "reject", "shed-oldest"});
  }
  return join;
}

/// Bounds, or whether the controller is to work within those that are there.
AdaptPool decode_adapt(const Params& params, const std::string& method) {
  AdaptPool adapt{params.text("pool"), true, std::nullopt};
  const Json& said = params.member("adapt");
  if (said.is_boolean()) {
    adapt.on = said.get<bool>();
    return adapt;
  }
  const Params p(said, method, {"from", "to"}, "adapt");
  const Bounds bounds{
      p.integer("from", 1, limits::kMostThreads, problem::kBoundsOutOfRange, "threads"),
      p.integer("to", 1, limits::kMostThreads, problem::kBoundsOutOfRange, "threads")};
  if (bounds.from > bounds.to) {
    p.wrong("to", problem::kBoundsReversed, "Use the fewest threads first, then the most.");
  }
  adapt.bounds = bounds;
  return adapt;
}

Command decode_command(const std::string& method, const Json& params) {
  if (method == "pool.resize") {
    const Params p(params, method, {"pool", "threads"});
    return ResizePool{p.text("pool"), p.integer("threads", 1, limits::kMostThreads,
                                                problem::kThreadsOutOfRange, "threads")};
  }
  if (method == "pool.pin") {
    const Params p(params, method, {"pool", "thread", "cpus"});
    return PinThread{
        p.text("pool"),
        p.integer("thread", 0, limits::kLastThread, problem::kNoSuchThread, "thread indexes"),
        p.cpus("cpus")};
  }
  if (method == "pool.adapt") {
    const Params p(params, method, {"pool", "adapt"});
    return decode_adapt(p, method);
  }
  if (method == "rule.set") {
    const Params p(params, method, {"rule", "on"});
    return SetRule{p.text("rule"), p.boolean("on")};
  }
  if (method == "source.set") {
    const Params p(params, method, {"flow", "perSecond"});
    return SetSource{p.text("flow"),
                     p.number("perSecond", 0, limits::kFastestRate, problem::kRateOutOfRange,
                              "Use a number of events a second from 0 (paused) to " +
                                  std::to_string(limits::kFastestRate) + ".")};
  }
  if (method == "sampling.set") {
    const Params p(params, method, {"per128"});
    return SetSampling{
        p.integer("per128", 0, 128, problem::kSamplingOutOfRange, "sampled calls in 128")};
  }
  if (method == "join.set") {
    const Params p(params, method, {"flow", "stage", "join"});
    return SetJoin{p.text("flow"), p.text("stage"), decode_join(p.member("join"), method)};
  }
  if (method == "join.remove") {
    const Params p(params, method, {"flow", "stage"});
    return RemoveJoin{p.text("flow"), p.text("stage")};
  }
  if (method == "service.call") {
    const Params p(params, method, {"service", "request", "deadlineMs"});
    Asking asking{p.text("service"), p.text("request")};
    if (p.has("deadlineMs")) {
      asking.deadline_ms =
          p.integer("deadlineMs", 1, 60'000, problem::kDeadlineOutOfRange, "milliseconds");
    }
    return AskService{std::move(asking)};
  }
  if (method == "live.watch") {
    return Watch{Params(params, method, {"close"}).boolean("close")};
  }
  reject(RpcCode::method_not_found, "There is no method " + in_quotes(method) + ".");
}

/// What a service is asked stays between it and who asks.
bool is_change(const Command& command) {
  return !std::holds_alternative<AskService>(command) && !std::holds_alternative<Watch>(command);
}

/// The envelope; on return `call.id` and `call.method` are set.
const Json& decode_envelope(const Json& message, RpcCall& call) {
  if (!message.is_object()) malformed("A message is one JSON-RPC request, not a batch or value.");
  for (const auto& member : message.items()) {
    const std::string& key = member.key();
    if (key != "jsonrpc" && key != "id" && key != "method" && key != "params") {
      malformed("A request has no key " + in_quotes(key) + ".");
    }
  }
  if (message.value("jsonrpc", Json()) != "2.0") malformed("jsonrpc must be \"2.0\".");
  const auto id = json::whole_number(message.value("id", Json()));
  if (!id) malformed("id must be a whole number: every request is answered.");
  const auto method = message.find("method");
  if (method == message.end() || !method->is_string()) malformed("method must be a string.");
  call.id = *id;
  call.method = method->get<std::string>();
  static const Json kNone = Json::object();
  const auto params = message.find("params");
  return params == message.end() ? kNone : *params;
}

}  // namespace

std::variant<RpcCall, RpcFailure> decode_rpc(std::string_view text) {
  const auto parsed = json::parse_document(text);
  if (const auto* error = std::get_if<JsonError>(&parsed)) {
    return RpcFailure{std::nullopt, RpcCode::parse_error, "No JSON: " + error->text(), "", ""};
  }
  RpcCall call;
  bool has_id = false;
  try {
    const Json& params = decode_envelope(std::get<Json>(parsed), call);
    has_id = true;
    call.command = decode_command(call.method, params);
    if (is_change(call.command)) {
      call.params = params.dump(-1, ' ', true, Json::error_handler_t::replace);
    }
    return call;
  } catch (Rejected& rejected) {
    if (has_id) rejected.failure.id = call.id;
    return std::move(rejected.failure);
  }
}

}  // namespace penstock::control
