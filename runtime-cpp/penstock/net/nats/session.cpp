#include "penstock/net/nats/session.hpp"

#include <algorithm>
#include <cctype>
#include <variant>

#include "penstock/json/document.hpp"
#include "penstock/version.hpp"

namespace penstock::net::nats {
namespace {

/// A server's words, as part of a line of ours.
std::string shown(std::string_view text) {
  constexpr std::size_t kMostShown = 200;
  std::string line(text.substr(0, kMostShown));
  std::replace_if(
      line.begin(), line.end(), [](unsigned char each) { return each < ' ' || each > '~'; }, '?');
  line.erase(0, std::min(line.find_first_not_of(" '"), line.size()));
  line.erase(line.find_last_not_of(" '") + 1);
  return line;
}

}  // namespace

void Session::receive(std::string_view bytes, Nanos now) {
  if (is_over()) return;
  now_ = heard_ = now;
  if (state_ == State::ready) pinged_ = 0;
  if (!reader_.take(bytes) && !is_over()) end("does not speak as NATS does");
}

Nanos Session::next_look() const noexcept {
  if (state_ != State::ready) return begun_ + kGreet;
  return (pinged_ != 0 ? pinged_ : heard_) + kSilence;
}

void Session::look(Nanos now) {
  if (is_over() || now < next_look()) return;
  now_ = now;
  if (state_ != State::ready) return end("did not let this binary in in time");
  if (pinged_ != 0) return end("says nothing any more");
  pinged_ = now;
  say("PING\r\n");
}

void Session::info(std::string_view json) {
  if (state_ != State::greeting) return;
  const auto document = json::parse_document(json);
  const auto* const read = std::get_if<json::Json>(&document);
  if (read == nullptr || !read->is_object()) return end("does not speak as NATS does");
  const auto wants_tls = read->find("tls_required");
  if (wants_tls != read->end() && wants_tls->is_boolean() && wants_tls->get<bool>())
    return end("wants TLS, which this binary does not speak with it");
  json::Json about = {{"verbose", false}, {"pedantic", false},  {"tls_required", false},
                      {"name", name_},    {"lang", "penstock"}, {"version", PENSTOCK_VERSION_TEXT},
                      {"protocol", 1},    {"echo", false},      {"headers", false}};
  if (!login_.user.empty()) about["user"] = login_.user;
  if (!login_.password.empty()) about["pass"] = login_.password;
  if (!login_.token.empty()) about["auth_token"] = login_.token;
  state_ = State::asked;
  say("CONNECT " + about.dump(-1, ' ', true, json::Json::error_handler_t::replace) +
      "\r\nPING\r\n");
}

void Session::message(const Message& message) {
  if (state_ == State::ready) user_.heard(*this, message, now_);
}

void Session::ping() {
  if (!is_over()) say("PONG\r\n");
}

void Session::pong() {
  if (state_ != State::asked) return;
  state_ = State::ready;
  user_.ready(*this, now_);
}

// What it may not do is not the end of it: whoever asks may want the answer at any subject.
void Session::error(std::string_view text) {
  if (is_over()) return;
  std::string why = "refuses: " + shown(text);
  const bool goes_on = is_ready() && text.find("Permissions Violation") != std::string_view::npos;
  if (!goes_on) return end(std::move(why));
  why_ = std::move(why);
}

void Session::subscribe(std::string_view subject, std::uint64_t subscription) {
  say("SUB " + std::string(subject) + " " + std::to_string(subscription) + "\r\n");
}

void Session::publish(std::string_view subject, std::string_view reply, std::string_view payload) {
  std::string line = "PUB " + std::string(subject) + " ";
  if (!reply.empty()) line += std::string(reply) + " ";
  line += std::to_string(payload.size()) + "\r\n";
  say(line + std::string(payload) + "\r\n");
}

void Session::say(std::string_view text) {
  if (is_over()) return;
  if (outgoing_.size() + text.size() > kMostUnsent) return end("does not read what it is told");
  outgoing_ += text;
}

void Session::end(std::string why) {
  state_ = State::over;
  why_ = std::move(why);
}

}  // namespace penstock::net::nats
