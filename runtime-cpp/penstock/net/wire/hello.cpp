#include "penstock/net/wire/hello.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "penstock/base/error.hpp"
#include "penstock/base/utf8.hpp"
#include "penstock/net/wire/bytes.hpp"
#include "penstock/net/wire/hello_message.hpp"

namespace penstock::net::wire {
namespace {

constexpr std::string_view kMagic = "PSTK";
constexpr std::size_t kPrefixBytes = 12;  // magic, two versions, two zero bytes, length

bool is_name(std::string_view text) noexcept {
  if (text.empty() || text.size() > kLongestName) return false;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || static_cast<unsigned char>(text.front()) < 0x20) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string wrong_with(const OfferedService& service) {
  if (!is_name(service.name)) return "a service has no name that can be shown";
  if (service.number > std::numeric_limits<std::uint16_t>::max())
    return "the number of " + service.name + " is above 65535";
  return {};
}

/// Empty: nothing is.
std::string wrong_with(const Hello& hello) {
  if (!is_name(hello.project)) return "the project has no name that can be shown";
  if (!is_name(hello.binary)) return "the binary has no name that can be shown";
  if (!is_name(hello.topology)) return "the topology has no hash";
  if (!is_name(hello.runtime)) return "the runtime has no version";
  if (hello.instance.size() != kInstanceBytes) return "the instance is not 16 bytes";
  if (hello.largest_body < kSmallestLargestBody) return "it takes no frame of 8192 bytes";
  std::set<std::uint32_t> numbers;
  std::set<std::string_view> names;
  for (const OfferedService& service : hello.services) {
    if (std::string why = wrong_with(service); !why.empty()) return why;
    if (!names.insert(service.name).second) return service.name + " is offered twice";
    if (!numbers.insert(service.number).second)
      return service.name + " has the number of another service";
  }
  return {};
}

HelloRead refused(HelloRead::Found found, std::string why) {
  HelloRead read;
  read.found = found;
  read.why = std::move(why);
  return read;
}

HelloRead malformed(std::string why) {
  return refused(HelloRead::Found::malformed, std::move(why));
}

}  // namespace

std::string write_hello(const Hello& hello) {
  if (const std::string why = wrong_with(hello); !why.empty())
    throw Error(ErrorCode::invalid_argument, "no peer would take this hello: " + why);
  const std::size_t size = codec::Message<Hello>::size(hello);
  if (size > kLargestHello)
    throw Error(ErrorCode::invalid_argument,
                "a hello of " + std::to_string(size) + " bytes is too large: offer fewer services");
  std::string bytes(kPrefixBytes + size, '\0');
  char* at = put_text(bytes.data(), kMagic);
  at = put(put(at, kOldestVersion), kNewestVersion);
  at = put(at, std::uint16_t{0});
  put(at, static_cast<std::uint32_t>(size));
  codec::Writer out(bytes.data() + bytes.size());
  codec::Message<Hello>::write(out, hello);
  return bytes;
}

HelloRead read_hello(std::string_view bytes) {
  // As soon as it can be told: who speaks something else may never send more.
  const std::string_view first = bytes.substr(0, kMagic.size());
  if (first != kMagic.substr(0, first.size()))
    return malformed("it does not begin with PSTK: another protocol is spoken there");
  HelloRead read;
  read.bytes = kPrefixBytes;
  if (bytes.size() < kPrefixBytes) return read;
  Taker in(bytes.substr(kMagic.size()));
  std::uint8_t oldest = 0;
  std::uint8_t newest = 0;
  std::uint16_t zero = 0;
  std::uint32_t size = 0;
  if (!in.take(oldest) || !in.take(newest) || !in.take(zero) || !in.take(size)) return read;
  if (oldest > newest || oldest == 0) return malformed("its versions are in no order");
  if (oldest > kNewestVersion || newest < kOldestVersion) {
    return refused(HelloRead::Found::other_version,
                   "it speaks the versions " + std::to_string(oldest) + " to " +
                       std::to_string(newest) + " of the wire, and this binary " +
                       std::to_string(kOldestVersion) + " to " + std::to_string(kNewestVersion));
  }
  if (zero != 0) return malformed("the bytes behind its versions are not 0");
  if (size > kLargestHello) return malformed("it is larger than 1 MiB");
  read.bytes += size;
  std::string_view message;
  if (!in.take(size, message)) return read;
  if (!codec::parse(message, read.hello)) return malformed("its message is broken");
  if (std::string why = wrong_with(read.hello); !why.empty()) return malformed(std::move(why));
  read.version = std::min(newest, kNewestVersion);
  read.found = HelloRead::Found::hello;
  return read;
}

}  // namespace penstock::net::wire
