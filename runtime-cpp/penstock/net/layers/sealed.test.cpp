#include "penstock/net/layers/sealed.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "penstock/net/layers/stack.hpp"
#include "world/toy_cipher.hpp"

namespace penstock::net::layers::sealed_test {
namespace {

using world::ToyCipher;

struct Sent {
  static constexpr std::size_t kMost = 100;
  std::vector<std::string>* all;
  void send(std::string_view bytes) const { all->emplace_back(bytes); }
};
using Made = Stack<Sent, Sealed>;

/// One end that seals, and one that opens.
class SealedDatagrams : public ::testing::Test {
 protected:
  [[nodiscard]] Made made(int end, std::uint64_t key = 7) {
    return Made({&sent}, Sealed(ToyCipher::of_end(end, key), Sealed::kRemembered));
  }
  /// The datagram of what is said.
  std::string say(const std::string& text) {
    EXPECT_TRUE(front.send(text, 1));
    return sent.back();
  }
  void hear(std::string_view datagram) {
    back.receive(datagram, 1, [this](std::string_view bytes) { heard.emplace_back(bytes); });
  }
  [[nodiscard]] const Sealed::Figures& figures() { return back.layer<Sealed>().figures(); }

  std::vector<std::string> sent;
  std::vector<std::string> heard;
  Made front = made(0);
  Made back = made(1);
};

TEST_F(SealedDatagrams, AreOpenedByTheOtherEnd) {
  const std::string words = say("some words");
  EXPECT_EQ(words.find("words"), std::string::npos);
  EXPECT_EQ(words.size(), 10 + Sealed::kHeader);
  hear(words);
  hear(say(""));
  EXPECT_EQ(heard, (std::vector<std::string>{"some words", ""}));
  EXPECT_EQ(figures().opened, 2U);
}

TEST_F(SealedDatagrams, AreTakenOnce) {
  const std::string first = say("first");
  const std::string second = say("second");
  hear(second);
  hear(first);
  hear(first);
  hear(second);
  EXPECT_EQ(heard, (std::vector<std::string>{"second", "first"}));
  EXPECT_EQ(figures().again, 2U);
}

TEST_F(SealedDatagrams, AreNeverTakenTwice) {
  std::vector<std::string> all;
  for (std::uint64_t count = 0; count <= Sealed::kRemembered; ++count) all.push_back(say("x"));
  hear(all.back());
  hear(all[1]);
  hear(all[0]);  // so old that nobody knows
  EXPECT_EQ(heard.size(), 2U);
  for (const std::string& each : all) hear(each);
  EXPECT_EQ(heard.size(), all.size() - 1);
  for (const std::string& each : all) hear(each);
  EXPECT_EQ(heard.size(), all.size() - 1);
}

TEST_F(SealedDatagrams, AreDroppedWhereAByteWasChanged) {
  const std::string words = say("some words");
  for (std::size_t at = 0; at < words.size(); ++at) {
    std::string other = words;
    other[at] = static_cast<char>(other[at] ^ 0x10);
    hear(other);
    hear(words.substr(0, at));
  }
  hear(words + "x");
  hear(std::string(Sent::kMost + 1, 'x'));
  EXPECT_TRUE(heard.empty());
  EXPECT_EQ(figures().wrong, 2 * words.size() + 2);
  // None of them has taken the place of what is sound.
  hear(words);
  EXPECT_EQ(heard.size(), 1U);
}

TEST_F(SealedDatagrams, AreDroppedOfWhoHasAnotherKey) {
  Made stranger = made(0, 9);
  ASSERT_TRUE(stranger.send("words", 1));
  hear(sent.back());
  // Nor is an end's own sent back to it taken.
  front.receive(say("mine"), 1, [](std::string_view) { FAIL(); });
  EXPECT_TRUE(heard.empty());
}

/// Writes down which numbers it has sealed under which key.
class Noted final : public Cipher {
 public:
  using Seals = std::vector<std::pair<int, std::uint64_t>>;
  Noted(Seals& seals, int key) noexcept : seals_(seals), key_(key) {}
  bool seal(std::uint64_t number, std::string_view /*bytes*/, char* /*to*/,
            char* /*tag*/) noexcept override {
    seals_.emplace_back(key_, number);
    return seals_.size() % 3 != 0;  // now and then it cannot
  }
  bool open(std::uint64_t /*number*/, std::string_view /*sealed*/, const char* /*tag*/,
            char* /*to*/) noexcept override {
    return false;
  }
  [[nodiscard]] std::unique_ptr<Cipher> next() const override {
    return std::make_unique<Noted>(seals_, key_ + 1);
  }

 private:
  Seals& seals_;
  int key_;
};

TEST_F(SealedDatagrams, HaveANumberThatNoOtherOneOfTheirKeyHas) {
  Noted::Seals seals;
  Made one({&sent}, Sealed({std::make_unique<Noted>(seals, 0), std::make_unique<Noted>(seals, 0)},
                           Sealed::kRemembered));
  for (std::uint64_t count = 0; count < 3 * Sealed::kRemembered; ++count)
    ASSERT_TRUE(one.send("x", 1));
  EXPECT_EQ(std::set(seals.begin(), seals.end()).size(), seals.size());
  EXPECT_EQ(seals.back().first, 2) << "a key seals so many";
}

TEST_F(SealedDatagrams, ComeAcrossAChangeOfTheKey) {
  std::vector<std::string> all;
  std::vector<std::string> texts;
  for (std::uint64_t count = 0; count < 4 * Sealed::kRemembered; ++count) {
    texts.push_back(std::to_string(count));
    all.push_back(say(texts.back()));
  }
  // Each before the one that it followed, also where the key changes between them.
  for (std::size_t at = 1; at < all.size(); ++at) hear(all[at ^ 1U]);
  hear(all[1 ^ 1U]);
  EXPECT_EQ(figures().wrong, 0U);
  EXPECT_EQ(heard.size(), all.size() - 1);
}

TEST_F(SealedDatagrams, OfOneKeyMayAllBeLost) {
  std::vector<std::string> all;
  for (std::uint64_t count = 0; count < 2 * Sealed::kRemembered + 1; ++count)
    all.push_back(say("x"));
  hear(all.front());
  hear(all[Sealed::kRemembered]);  // of the next key
  hear(all.back());
  EXPECT_EQ(heard.size(), 3U);
}

}  // namespace
}  // namespace penstock::net::layers::sealed_test
