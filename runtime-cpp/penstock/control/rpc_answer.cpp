#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "penstock/control/problem_codes.hpp"
#include "penstock/control/rpc.hpp"
#include "penstock/json/append.hpp"

namespace penstock::control {
namespace {

void append_id_head(std::string& out, std::optional<std::int64_t> id) {
  out += R"({"jsonrpc":"2.0","id":)";
  if (id) {
    json::append_number(out, *id);
  } else {
    out += "null";
  }
}

void append_list(std::string& out, const std::vector<int>& items) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out += ',';
    json::append_number(out, items[i]);
  }
  out += ']';
}

void append_content(std::string& out, const Setting& setting) {
  out += R"({"asked":)";
  json::append_number(out, setting.asked);
  out += R"(,"actual":)";
  json::append_number(out, setting.actual);
  out += '}';
}

void append_content(std::string& out, const Pinning& pinning) {
  out += R"({"asked":)";
  append_list(out, pinning.asked);
  out += R"(,"actual":)";
  append_list(out, pinning.actual);
  out += '}';
}

void append_content(std::string& out, const Adapting& adapting) {
  out += R"({"from":)";
  json::append_number(out, adapting.bounds.from);
  out += R"(,"to":)";
  json::append_number(out, adapting.bounds.to);
  out += adapting.on ? R"(,"on":true)" : R"(,"on":false)";
  out += R"(,"threads":)";
  json::append_number(out, adapting.threads);
  out += '}';
}

void append_name(std::string& out, const std::string& name) {
  if (name.empty()) {
    out += "null";
  } else {
    json::append_string(out, name);
  }
}

void append_content(std::string& out, const Ruling& ruling) {
  out += ruling.on ? R"({"on":true,"preset":)" : R"({"on":false,"preset":)";
  append_name(out, ruling.preset);
  out += '}';
}

void append_content(std::string& out, const Joined& joined) {
  out += R"({"pool":)";
  append_name(out, joined.pool);
  out += R"(,"threads":)";
  json::append_number(out, joined.threads);
  out += R"(,"tookMs":)";
  json::append_number(out, joined.took_ms);
  out += '}';
}

template <class Number>
void append_optional(std::string& out, const std::optional<Number>& value) {
  if (value) {
    json::append_number(out, *value);
  } else {
    out += "null";
  }
}

void append_call(std::string& out, const AskedCall& call) {
  out += '[';
  append_optional(out, call.parent);
  for (const std::string* const text : {&call.service, &call.implementation, &call.thread}) {
    out += ',';
    json::append_string(out, *text);
  }
  out += ',';
  json::append_number(out, call.at_us);
  out += ',';
  append_optional(out, call.wait_us);
  out += ',';
  append_optional(out, call.run_us);
  out += call.failed ? ",1]" : ",0]";
}

void append_content(std::string& out, const Asked& asked) {
  if (asked.error_code.empty()) {
    (out += R"({"answer":)") += asked.answer;
  } else {
    out += R"({"error":{"code":)";
    json::append_string(out, asked.error_code);
    out += R"(,"message":)";
    json::append_string(out, asked.error_message);
    out += '}';
  }
  out += R"(,"tookMs":)";
  json::append_number(out, asked.took_ms);
  for (std::size_t at = 0; at < asked.trace.size(); ++at) {
    out += at == 0 ? R"(,"trace":[)" : ",";
    append_call(out, asked.trace[at]);
  }
  if (!asked.trace.empty()) out += ']';
  out += '}';
}

Answer failed(const RpcFailure& failure) { return {encode_failure(failure), failure.problem}; }

template <class T>
Answer encode_outcome(std::int64_t id, const Outcome<T>& outcome) {
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
    return failed({id, RpcCode::refused, refusal->message, refusal->code, refusal->help});
  }
  std::string out;
  append_id_head(out, id);
  out += R"(,"result":)";
  append_content(out, std::get<T>(outcome));
  out += '}';
  return {std::move(out), ""};
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
  std::string out;
  append_id_head(out, failure.id);
  out += R"(,"error":{"code":)";
  json::append_number(out, static_cast<int>(failure.code));
  out += R"(,"message":)";
  json::append_string(out, failure.message);
  if (!failure.problem.empty()) {
    out += R"(,"data":{"code":)";
    json::append_string(out, failure.problem);
    out += R"(,"help":)";
    json::append_string(out, failure.help);
    out += '}';
  }
  out += "}}";
  return out;
}

std::string encode_watch(std::int64_t id, std::int64_t interval_ms) {
  std::string out;
  append_id_head(out, id);
  out += R"(,"result":{"intervalMs":)";
  json::append_number(out, interval_ms);
  out += "}}";
  return out;
}

}  // namespace penstock::control
