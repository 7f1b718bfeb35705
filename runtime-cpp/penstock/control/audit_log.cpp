#include "penstock/control/audit_log.hpp"

#include "penstock/json/plain_writer.hpp"

namespace penstock::control {
namespace {

constexpr int kMostASecond = 10;
constexpr std::size_t kLongestParams = 500;

/// One line: an event, when it was, and what is written into it.
template <class Write>
std::string line_of(std::string_view event, Write write) {
  using std::chrono::duration_cast;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  json::PlainWriter line;
  line.open('{');
  line.field("event", event);
  line.field("atMs", std::int64_t{duration_cast<std::chrono::milliseconds>(now).count()});
  write(line);
  return line.end();
}

std::string_view result_of(std::string_view code) { return code.empty() ? "in force" : code; }

}  // namespace

void AuditLog::command(std::string_view method, std::string_view code, std::string_view params,
                       const std::optional<Setting>& setting) {
  expect_here();
  if (!sink_) return;
  sink_(line_of("command", [&](json::PlainWriter& line) {
    line.field("method", method);
    line.field("result", result_of(code));
    if (!params.empty() && params.size() <= kLongestParams) {
      line.key("params");
      line.raw(params);
    }
    if (!setting) return;
    if (setting->before) line.field("before", *setting->before);
    line.field("actual", setting->actual);
  }));
}

std::string AuditLog::adapted(std::string_view pool, unsigned from, unsigned to, double waited_ms) {
  return line_of("adapted", [&](json::PlainWriter& line) {
    line.field("pool", pool);
    line.field("from", from);
    line.field("to", to);
    line.field("waitedMs", waited_ms);
  });
}

std::string AuditLog::switched(std::string_view of, std::string_view preset, double per_second,
                               std::string_view code) {
  return line_of("switched", [&](json::PlainWriter& line) {
    line.field("rule", of);
    line.field("preset", preset);
    line.field("perSecond", per_second);
    line.field("result", result_of(code));
  });
}

void AuditLog::refusal(int status, std::string_view reason) {
  expect_here();
  if (!sink_) return;
  const auto now = Clock::now();
  if (now - window_start_ >= std::chrono::seconds(1)) {
    window_start_ = now;
    in_window_ = 0;
  }
  if (++in_window_ > kMostASecond) {
    ++left_out_;
    return;
  }
  sink_(line_of("refused", [&](json::PlainWriter& line) {
    line.field("status", status);
    line.field("reason", reason);
    if (left_out_ != 0) line.field("leftOut", left_out_);
  }));
  left_out_ = 0;
}

}  // namespace penstock::control
