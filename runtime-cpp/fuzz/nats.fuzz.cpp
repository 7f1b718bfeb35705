// Whatever a NATS server says, and whoever publishes there, a binary keeps a bounded list of
// processes whose names and addresses are bounded, and sends whole lines.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "penstock/net/nats/roster.hpp"

namespace {

using namespace penstock::net::nats;

constexpr std::size_t kLongest = 100;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Announcement& said) {
  require(said.binary == "models" && said.instance.size() == Announcement::kInstanceDigits);
  require(said.addresses.size() <= Announcement::kMostAddresses && !said.gone);
  for (const std::string& each : said.addresses) require(each.size() <= kLongest);
  const auto again = read_announcement(write_announcement(said));
  require(again && again->instance == said.instance && again->addresses == said.addresses);
}

}  // namespace

// The first byte says in pieces of how many bytes the rest comes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = data[0] + std::size_t{1};
  const std::string_view told(reinterpret_cast<const char*>(data + 1), size - 1);
  penstock::Nanos now = 1;
  Roster roster("shop", "x");
  const std::size_t models = roster.watch("models");
  roster.held_from("10.0.0.5");
  roster.announce("front", "0123456789abcdef", {{{.secured = true}, "", 1}}, nullptr, now);
  Session session(roster, {"user", "secret", ""}, "front", now);
  for (std::size_t at = 0; at < told.size(); at += piece) {
    session.receive(told.substr(at, piece), now);
    session.look(++now);
    if (session.is_ready()) roster.look(session, now);
  }
  require(session.is_over() == !session.why().empty() || session.is_ready());
  const std::string& sent = session.outgoing();
  require(sent.size() <= Session::kMostUnsent && (sent.empty() || sent.ends_with("\r\n")));
  for (const Announcement& each : roster.members(models)) check(each);
  return 0;
}
