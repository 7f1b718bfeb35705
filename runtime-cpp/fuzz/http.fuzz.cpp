// Any bytes in any pieces, whatever else befalls their connection, are requests or are refused.
// What is sent is HTTP: an answer for each request, in their order, and nothing behind the last
// one. Where nothing else happens the same requests are seen in other pieces.
//
// The last byte is how many before it say what happens; the others are what the peer sends.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/http/bearer.hpp"
#include "penstock/http/connection.hpp"
#include "penstock/http/context_headers.hpp"
#include "penstock/http/twirp.hpp"

namespace {

using namespace penstock::http;

constexpr std::size_t kMostBody = 1000;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Bytes that say what happens; behind the last one nothing does.
class Script {
 public:
  explicit Script(std::string_view bytes) : bytes_(bytes) {}
  unsigned next() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }

 private:
  std::string_view bytes_;
};

/// Does what it is asked for when the test comes to it.
class Fake final : public Line {
 public:
  void read(std::span<char> to) override {
    require(!reads && !writes && !closed && !to.empty());
    room = to;
    reads = true;
  }
  void write(Pieces pieces) override {
    require(!reads && !writes && !closed && !ended);
    for (const std::string_view piece : pieces) out += piece;
    writes = true;
  }
  void cancel() override { cancelled = reads; }
  void wake_at(Time /*time*/) override { timed = true; }
  void end() override { ended = true; }
  void close() override { closed = true; }
  [[nodiscard]] bool is_secured() const noexcept override { return false; }
  [[nodiscard]] bool is_heard() const noexcept override { return true; }
  [[nodiscard]] bool is_here() const noexcept override { return true; }
  void poke() override { require(false); }

  std::span<char> room;
  std::string out;
  bool reads = false;
  bool writes = false;
  bool cancelled = false;
  bool timed = false;
  bool ended = false;
  bool closed = false;
};

struct Seen {
  std::string method;
  std::string target;
  std::string body;
  friend bool operator==(const Seen&, const Seen&) = default;
};

class Asked final : public Connection {
 public:
  using Connection::Connection;

  void give() {
    waits = false;
    reply({200, "text/plain", std::to_string(seen.size())}, client_keeps_alive());
  }

  std::vector<Seen> seen;
  Limits::Time answer_time = std::chrono::hours(1);
  bool waits = false;  // for the answer of a test
  Door door;

 private:
  void on_request(const RequestHead& head) override {
    static_cast<void>(context_of(head));
    static_cast<void>(format_of(field(head, "Content-Type").value_or("")));
    const std::vector<std::string> tokens{"0123456789abcdef"};
    if (const auto denial = check_bearer(head, tokens)) require(denial->status == 401);
    if (const auto denial = check_form(head, door)) return reply(refusal(*denial), false);
    // Whoever stands before us would read another body.
    require(!field(head, "Content-Length") || !field(head, "Transfer-Encoding"));
    seen.push_back({std::string(head.method), std::string(head.target), {}});
    if (head.has_body) return read_body(kMostBody);
    answer();
  }
  void on_body(std::string body) override {
    require(body.size() <= kMostBody);
    seen.back().body = std::move(body);
    answer();
  }
  void on_answer_late() override {
    waits = false;
    reply({503, "text/plain", "late"}, false);
  }
  [[nodiscard]] Reply refusal(const Denial& denial) const override {
    require(denial.status >= 400 && !denial.reason.empty());
    return {denial.status, "text/plain", denial.reason};
  }
  void answer() {
    if (seen.back().target.find('w') == std::string::npos) return give();
    waits = true;
    await_answer(answer_time);
  }
};

struct Ran {
  std::vector<Seen> seen;
  std::string out;
};

/// Something besides bytes happens to it while it waits for some; false: nothing does.
bool befall(unsigned what, Asked& connection, Fake& line) {
  Line::User& user = connection;
  switch (what) {
    case 1:
      if (!std::exchange(line.timed, false)) return false;
      user.woken();
      return true;
    case 2:
      connection.send_away();
      return true;
    case 3:
      if (!user.may_move()) return false;
      user.left_alone();
      return true;
    case 4:
      connection.poke();
      return true;
    case 5:
      user.drop();
      return true;
    default:
      return false;
  }
}

Ran run(std::string_view text, Script script, const Limits& limits, bool in_pieces, bool befalls) {
  Connections all;
  auto made = std::make_unique<Fake>();
  Fake& line = *made;
  const auto connection = std::make_shared<Asked>(std::move(made), limits, all);
  Line::User& user = *connection;
  connection->door = {8080, false, true, nullptr, true};
  connection->answer_time = limits.request_time;
  connection->enroll();
  user.begin();
  for (int step = 0; !line.closed; ++step) {
    require(step < 100'000);
    if (line.writes) {
      line.writes = false;
      user.sent(!befalls || script.next() != 255);
    } else if (connection->waits) {
      if (befalls && script.next() == 254 && std::exchange(line.timed, false)) {
        user.woken();
      } else {
        connection->give();
      }
    } else {
      require(line.reads);  // or it waits for nothing, and for ever
      if (befalls && befall(script.next(), *connection, line)) continue;
      line.reads = false;
      std::size_t size = std::min(line.room.size(), text.size());
      if (in_pieces) size = std::min<std::size_t>(size, 1 + script.next() % 64U);
      if (std::exchange(line.cancelled, false)) size = 0;
      if (size > 0) std::memcpy(line.room.data(), text.data(), size);
      text.remove_prefix(size);
      user.received(size > 0, size);
    }
    require(all.held() <= all.most_held());
  }
  require(all.held() == 0);
  return {std::move(connection->seen), std::move(line.out)};
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  require(end != std::string_view::npos);
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return line;
}

std::size_t number_of(std::string_view text) {
  std::size_t number = 0;
  require(!text.empty());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  require(error == std::errc{} && end == text.data() + text.size());
  return number;
}

void check_answers(const Ran& ran) {
  std::string_view out = ran.out;
  std::size_t answers = 0;
  bool closes = false;
  while (!out.empty()) {
    const std::string_view first = take_line(out);
    require(first.starts_with("HTTP/1.1 ") && first.size() > 13 && first[12] == ' ');
    const std::size_t status = number_of(first.substr(9, 3));
    require(!closes);
    if (status == 100) {
      require(take_line(out).empty());
      continue;
    }
    std::size_t bytes = 0;
    bool sized = false;
    for (std::string_view line = take_line(out); !line.empty(); line = take_line(out)) {
      if (line == "Connection: close") closes = true;
      constexpr std::string_view kLength = "Content-Length: ";
      if (!line.starts_with(kLength)) continue;
      require(!std::exchange(sized, true));
      bytes = number_of(line.substr(kLength.size()));
    }
    require(sized && bytes <= out.size());
    if (status == 200) {
      require(number_of(out.substr(0, bytes)) == ++answers);
    } else {
      require(closes);
    }
    out.remove_prefix(bytes);
  }
  require(answers <= ran.seen.size());
}

/// What is no request is refused for this or that, or its end is awaited, as Beast finds out by the
/// pieces that it gets: no more than that last answer may differ.
std::string_view before_refusal(std::string_view answers) {
  const std::size_t refused = std::min(answers.find("HTTP/1.1 4"), answers.find("HTTP/1.1 505"));
  return answers.substr(0, refused);
}

/// Nobody is sent away for the time that he takes, or for less than what the largest input has.
Limits patient() {
  Limits limits;
  limits.header_time = limits.request_time = limits.keep_alive_time = std::chrono::hours(1);
  limits.body_bytes_per_second = 0;
  limits.header_fields = 10'000;
  return limits;
}

Limits narrow(bool hasty) {
  Limits limits = patient();
  limits.header_bytes = 256;
  limits.header_fields = 8;
  limits.body_bytes = 64;
  limits.framing_bytes = 32;
  limits.held_bytes = 8192;
  limits.patience = Limits::Time(0);
  if (hasty) {
    limits.header_time = limits.request_time = limits.keep_alive_time = Limits::Time(0);
    limits.body_grace = Limits::Time(0);
  }
  return limits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view all(reinterpret_cast<const char*>(data), size - 1);
  const std::size_t scripted = std::min<std::size_t>(data[size - 1], all.size());
  const std::string_view text = all.substr(0, all.size() - scripted);
  const Script script(all.substr(text.size()));
  const Ran whole = run(text, script, patient(), false, false);
  check_answers(whole);
  const Ran pieces = run(text, script, patient(), true, false);
  require(pieces.seen == whole.seen);
  require(before_refusal(pieces.out) == before_refusal(whole.out));
  check_answers(run(text, script, patient(), true, true));
  check_answers(run(text, script, narrow(false), true, false));
  check_answers(run(text, script, narrow(true), true, true));
  return 0;
}
