#include "services/turn.hpp"

#include <gtest/gtest.h>

#include <penstock/testing.hpp>

#include "words.hpp"

namespace {

TEST(Turn, GivesBackWhatItGets) {
  penstock::testing::ServiceTest<buffers::Turn> turn;
  penstock::Buffer data = penstock::Buffer::make(100'000);
  buffers::fill(data.writable());
  const std::uint64_t expected = buffers::combined(data.bytes());
  const std::byte* const where = data.data();
  const buffers::Parcel back = turn({.data = std::move(data), .combine = true});
  EXPECT_EQ(back.combined, expected);
  EXPECT_EQ(back.data.size(), 100'000U);
  EXPECT_EQ(back.data.data(), where);
}

}  // namespace
