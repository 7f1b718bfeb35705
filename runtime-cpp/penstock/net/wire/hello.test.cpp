#include "penstock/net/wire/hello.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "penstock/base/error.hpp"
#include "support/hex_of_page.hpp"

namespace penstock::net::wire::hello_test {
namespace {

using Found = HelloRead::Found;
using penstock::testing::hex_of_page;

constexpr const char* kTopology =
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

Hello of_page() {
  Hello hello;
  hello.project = "ads";
  hello.binary = "front";
  for (char byte = 0; byte < 16; ++byte) hello.instance += byte;
  hello.topology = kTopology;
  hello.runtime = "0.1.0";
  hello.largest_body = 1U << 20U;
  hello.services = {{7, "Ads/Go", 261, 0xFFFFFFFF}};
  return hello;
}

/// With its length behind the versions.
std::string hello_of(const std::string& message) {
  std::string bytes("PSTK\x01\x01\0\0", 8);
  for (unsigned shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>((message.size() >> shift) & 0xFFU);
  return bytes + message;
}

TEST(WireHello, IsWhatThePageSays) {
  EXPECT_EQ(write_hello(of_page()), hex_of_page("wire.md", "hello"));
}

TEST(WireHello, IsReadAsItWasWritten) {
  const std::string bytes = hex_of_page("wire.md", "hello");
  const HelloRead read = read_hello(bytes + "frames behind it");
  EXPECT_EQ(read.found, Found::hello) << read.why;
  EXPECT_EQ(read.bytes, bytes.size());
  EXPECT_EQ(read.version, 1);
  EXPECT_EQ(read.hello, of_page());
}

TEST(WireHello, IsPartOfOneUntilItsLastByte) {
  const std::string bytes = write_hello(of_page());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const HelloRead read = read_hello(bytes.substr(0, size));
    EXPECT_EQ(read.found, Found::part) << size << ' ' << read.why;
    EXPECT_EQ(read.bytes, size < 12 ? 12 : bytes.size()) << size;
  }
}

TEST(WireHello, MayHaveFieldsThatAreNotKnown) {
  const std::string message = write_hello(of_page()).substr(12);
  const HelloRead read = read_hello(hello_of("\xfa\x07\x03new" + message));
  EXPECT_EQ(read.found, Found::hello) << read.why;
  EXPECT_EQ(read.hello, of_page());
}

TEST(WireHello, OfAnotherProtocolIsRefusedAtItsFirstByte) {
  const HelloRead read = read_hello("GET / HTTP/1.1");
  EXPECT_EQ(read.found, Found::malformed);
  EXPECT_EQ(read.why, "it does not begin with PSTK: another protocol is spoken there");
  EXPECT_EQ(read_hello("G").found, Found::malformed);
}

TEST(WireHello, WithoutACommonVersionSaysBoth) {
  const HelloRead read = read_hello(std::string("PSTK\x02\x03\0\0\0\0\0\0", 12));
  EXPECT_EQ(read.found, Found::other_version);
  EXPECT_EQ(read.why, "it speaks the versions 2 to 3 of the wire, and this binary 1 to 1");
}

TEST(WireHello, OfANewerPeerThatSpeaksThisVersionIsRead) {
  std::string bytes = write_hello(of_page());
  bytes[5] = 9;
  const HelloRead read = read_hello(bytes);
  EXPECT_EQ(read.found, Found::hello) << read.why;
  EXPECT_EQ(read.version, 1);
}

TEST(WireHello, ThatLiesAboutItsVersionsOrLengthIsMalformed) {
  EXPECT_EQ(read_hello(std::string("PSTK\x01\x00\0\0\0\0\0\0", 12)).why,
            "its versions are in no order");
  EXPECT_EQ(read_hello(std::string("PSTK\x00\x01\0\0\0\0\0\0", 12)).why,
            "its versions are in no order");
  EXPECT_EQ(read_hello(std::string("PSTK\x01\x01\0\x01\0\0\0\0", 12)).why,
            "the bytes behind its versions are not 0");
  EXPECT_EQ(read_hello(std::string("PSTK\x01\x01\0\0\x01\0\x10\0", 12)).why,
            "it is larger than 1 MiB");
}

TEST(WireHello, WithABrokenMessageIsMalformed) {
  EXPECT_EQ(read_hello(hello_of("\x0a\x7f"
                                "ads"))
                .why,
            "its message is broken");
  EXPECT_EQ(read_hello(hello_of("")).why, "the project has no name that can be shown");
}

struct Wrong {
  const char* why;
  std::function<void(Hello&)> change;
};

const Wrong kWrong[] = {
    {"the project has no name that can be shown", [](Hello& hello) { hello.project = "a\nb"; }},
    {"the binary has no name that can be shown", [](Hello& hello) { hello.binary = "\xff"; }},
    {"the binary has no name that can be shown",
     [](Hello& hello) { hello.binary.assign(kLongestName + 1, 'a'); }},
    {"the topology has no hash", [](Hello& hello) { hello.topology.clear(); }},
    {"the runtime has no version", [](Hello& hello) { hello.runtime.clear(); }},
    {"the instance is not 16 bytes", [](Hello& hello) { hello.instance.pop_back(); }},
    {"it takes no frame of 8192 bytes", [](Hello& hello) { hello.largest_body = 8191; }},
    {"a service has no name that can be shown",
     [](Hello& hello) { hello.services[0].name.clear(); }},
    {"the number of Ads/Go is above 65535",
     [](Hello& hello) { hello.services[0].number = 65'536; }},
    {"Ads/Go is offered twice",
     [](Hello& hello) {
       hello.services.push_back({8, "Ads/Go", 1, 1});
     }},
    {"Ads/Get has the number of another service",
     [](Hello& hello) {
       hello.services.push_back({7, "Ads/Get", 1, 1});
     }},
};

TEST(WireHello, WithAWrongFieldIsNeitherReadNorWritten) {
  const std::string good = write_hello(of_page()).substr(12);
  for (const Wrong& wrong : kWrong) {
    Hello hello = of_page();
    wrong.change(hello);
    try {
      static_cast<void>(write_hello(hello));
      ADD_FAILURE() << wrong.why;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_EQ(error.message(), std::string("no peer would take this hello: ") + wrong.why);
    }
  }
  // A field that comes again replaces the one before; a service that comes again is another one.
  EXPECT_EQ(read_hello(hello_of(good + std::string("\x0a\x03"
                                                   "a\nb",
                                                   5)))
                .why,
            kWrong[0].why);
  EXPECT_EQ(read_hello(hello_of(good + "\x1a\x01x")).why, kWrong[5].why);
  EXPECT_EQ(read_hello(hello_of(good + "\x38\x01")).why, kWrong[6].why);
  EXPECT_EQ(read_hello(hello_of(good + "\x42\x0a\x08\x08\x12\x06"
                                       "Ads/Go"))
                .why,
            kWrong[9].why);
}

TEST(WireHello, OfMoreServicesThanFitIsNotWritten) {
  Hello hello = of_page();
  for (std::uint32_t number = 0; number < 6'000; ++number)
    hello.services.push_back({100 + number, std::string(190, 'a') + std::to_string(number), 1, 1});
  EXPECT_THROW(write_hello(hello), Error);
}

}  // namespace
}  // namespace penstock::net::wire::hello_test
