#include "penstock/control/audit_log.hpp"

#include "penstock/json/append.hpp"

namespace penstock::control {
namespace {

constexpr int kMostASecond = 10;

void open_line(std::string& line, std::string_view event) {
  using std::chrono::duration_cast;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  line += R"({"event":)";
  json::append_string(line, event);
  line += R"(,"atMs":)";
  json::append_number(line, std::int64_t{duration_cast<std::chrono::milliseconds>(now).count()});
}

}  // namespace

void AuditLog::command(std::string_view method, std::string_view code) {
  if (!sink_) return;
  std::string line;
  open_line(line, "command");
  line += R"(,"method":)";
  json::append_string(line, method);
  line += R"(,"result":)";
  json::append_string(line, code.empty() ? "in force" : code);
  line += '}';
  sink_(line);
}

std::string AuditLog::adapted(std::string_view pool, unsigned from, unsigned to, double waited_ms) {
  std::string line;
  open_line(line, "adapted");
  line += R"(,"pool":)";
  json::append_string(line, pool);
  line += R"(,"from":)";
  json::append_number(line, from);
  line += R"(,"to":)";
  json::append_number(line, to);
  line += R"(,"waitedMs":)";
  json::append_number(line, waited_ms);
  line += '}';
  return line;
}

std::string AuditLog::switched(std::string_view of, std::string_view preset, double per_second,
                               std::string_view code) {
  std::string line;
  open_line(line, "switched");
  line += R"(,"rule":)";
  json::append_string(line, of);
  line += R"(,"preset":)";
  json::append_string(line, preset);
  line += R"(,"perSecond":)";
  json::append_number(line, per_second);
  line += R"(,"result":)";
  json::append_string(line, code.empty() ? "in force" : code);
  line += '}';
  return line;
}

void AuditLog::refusal(int status, std::string_view reason) {
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
  std::string line;
  open_line(line, "refused");
  line += R"(,"status":)";
  json::append_number(line, status);
  line += R"(,"reason":)";
  json::append_string(line, reason);
  if (left_out_ != 0) {
    line += R"(,"leftOut":)";
    json::append_number(line, left_out_);
    left_out_ = 0;
  }
  line += '}';
  sink_(line);
}

}  // namespace penstock::control
