#include "penstock/net/wire/buffers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "penstock/net/wire/frame.hpp"
#include "support/hex_of_page.hpp"

namespace penstock::net::wire::buffers_test {
namespace {

using Kind = BufferPart::Kind;

std::string written(const std::vector<BufferPart>& parts) {
  std::string bytes(parts_size(parts.size()), '\0');
  EXPECT_EQ(write_parts(bytes.data(), parts), bytes.data() + bytes.size());
  return bytes;
}

bool is_read(std::vector<BufferPart> parts) {
  const std::string bytes = written(parts) + "rest";
  std::string_view left = bytes;
  std::vector<BufferPart> read;
  return read_parts(left, read) && read == parts && left == "rest";
}

TEST(WireBuffers, OfACallAreWhatThePageSays) {
  const std::string body =
      std::string(4, '\0') +
      written({{Kind::pieces, 0, 0, 70'000}, {Kind::new_segment, 3, 1, 8'000'000}}) +
      std::string("\x0d\0\0\0\0\x15\1\0\0\0", 10);
  std::string frame(kHeadBytes, '\0');
  write_head(frame.data(),
             {static_cast<std::uint32_t>(body.size()), FrameKind::call, kBuffers, 7, 44});
  EXPECT_EQ(frame + body, penstock::testing::hex_of_page("wire.md", "call-with-buffers"));
}

TEST(WireBuffers, AreReadAsTheyWereWritten) {
  EXPECT_TRUE(is_read({{Kind::pieces, 0, 0, 1}}));
  EXPECT_TRUE(is_read({{Kind::segment, 63, 9, kMostBufferBytes}}));
  EXPECT_TRUE(is_read({{Kind::back, 0, 1, 5}, {Kind::new_segment, 4, 1, 6}}));
}

TEST(WireBuffers, ThatAreNoneAreMalformed) {
  EXPECT_FALSE(is_read({}));
  EXPECT_FALSE(is_read({{Kind::pieces, 0, 0, 0}}));
  EXPECT_FALSE(is_read({{Kind::pieces, 1, 0, 1}}));
  EXPECT_FALSE(is_read({{Kind::pieces, 0, 1, 1}}));
  EXPECT_FALSE(is_read({{Kind::segment, 0, 0, 1}}));
  EXPECT_FALSE(is_read({{static_cast<Kind>(4), 0, 1, 1}}));
  EXPECT_FALSE(is_read({{Kind::pieces, 0, 0, kMostBufferBytes + 1}}));
  EXPECT_FALSE(is_read({{Kind::pieces, 0, 0, kMostBufferBytes}, {Kind::pieces, 0, 0, 1}}));
  EXPECT_FALSE(is_read({{Kind::pieces, 0, 0, 1}, {Kind::segment, 0, 1, UINT64_MAX}}));
  EXPECT_FALSE(is_read(std::vector<BufferPart>(kMostBuffers + 1, {Kind::pieces, 0, 0, 1})));
  const std::string whole = written({{Kind::pieces, 0, 0, 1}});
  std::string_view part = std::string_view(whole).substr(0, whole.size() - 1);
  std::vector<BufferPart> read;
  EXPECT_FALSE(read_parts(part, read));
}

}  // namespace
}  // namespace penstock::net::wire::buffers_test
