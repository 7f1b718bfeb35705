// Both ends of a handshake, brought together by hand.
#include "penstock/tls/handshake.hpp"

#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

#include <ctime>
#include <filesystem>
#include <string>

#include "support/made_keys.hpp"

namespace penstock::tls_part::handshake_test {
namespace {

class Handshakes : public ::testing::Test {
 protected:
  Handshakes() {
    char name[] = "/tmp/penstock-handshake-XXXXXX";
    folder = mkdtemp(name);
    testing::MadeKeys keys(folder + "/keys");
    keys.add("front");
    keys.add("ads");
    front_keys = load_keys({"test", "front"}, keys.folder());
    ads_keys = load_keys({"test", "ads"}, keys.folder());
  }
  ~Handshakes() override { std::filesystem::remove_all(folder); }

  /// All that one has to say, in pieces of that many bytes.
  static void tell(Handshake& from, Handshake& to, std::size_t piece) {
    while (!from.to_say().empty()) {
      const std::string some(from.to_say().substr(0, piece));
      from.said(some.size());
      to.take(some);
    }
  }
  static void talk(Handshake& front, Handshake& ads, std::size_t piece = 1'000) {
    for (int turn = 0; turn < 4; ++turn) {
      tell(front, ads, piece);
      tell(ads, front, piece);
    }
  }

  std::string folder;
  Context front_keys;
  Context ads_keys;
};

TEST_F(Handshakes, MakeBothEndsKnowEachOther) {
  for (const std::size_t piece : {1U, 7U, 1'000U, 10'000U}) {
    Handshake front(*front_keys, true);
    Handshake ads(*ads_keys, false);
    EXPECT_FALSE(front.is_done() || ads.is_done());
    EXPECT_EQ(front.peer(), "");
    talk(front, ads, piece);
    ASSERT_TRUE(front.is_done() && ads.is_done());
    EXPECT_EQ(front.peer(), "penstock://test/ads");
    EXPECT_EQ(ads.peer(), "penstock://test/front");
    EXPECT_EQ(std::string(front.why()) + std::string(ads.why()), "");
    EXPECT_TRUE(front.to_say().empty() && ads.to_say().empty());
  }
}

TEST_F(Handshakes, GiveKeysThatOnlyTheirEndsHave) {
  const auto opened = [](net::layers::Sealed::Ciphers& by, net::layers::Sealed::Ciphers& of) {
    char sealed[5];
    char tag[net::layers::Cipher::kTag];
    char text[5];
    return by.sends->seal(9, "words", sealed, tag) &&
           of.opens->open(9, {sealed, sizeof sealed}, tag, text) &&
           std::string(text, sizeof text) == "words";
  };
  Handshake front(*front_keys, true);
  Handshake ads(*ads_keys, false);
  talk(front, ads);
  auto at_front = front.ciphers();
  auto at_ads = ads.ciphers();
  EXPECT_TRUE(opened(at_front, at_ads));
  EXPECT_TRUE(opened(at_ads, at_front));
  EXPECT_FALSE(opened(at_front, at_front)) << "each way has a key of its own";
  Handshake other_front(*front_keys, true);
  Handshake other_ads(*ads_keys, false);
  talk(other_front, other_ads);
  auto at_other = other_front.ciphers();
  EXPECT_FALSE(opened(at_other, at_ads));
  EXPECT_FALSE(opened(at_ads, at_other));
}

// The end that connected is done before the other one has looked at its key.
TEST_F(Handshakes, TellTheEndThatConnectedThatItsKeyIsRefused) {
  X509_VERIFY_PARAM_set_time(SSL_CTX_get0_param(ads_keys.get()),
                             std::time(nullptr) + 2 * testing::MadeKeys::kDay);
  Handshake front(*front_keys, true);
  Handshake ads(*ads_keys, false);
  talk(front, ads);
  EXPECT_TRUE(front.is_done());
  EXPECT_FALSE(ads.is_done());
  EXPECT_EQ(ads.why(), "its key is refused: certificate has expired");
  EXPECT_TRUE(front.why().starts_with("it refuses the key of this binary: ")) << front.why();
}

TEST_F(Handshakes, EndWithWhatIsNone) {
  Handshake ads(*ads_keys, false);
  ads.take("PSTK in the clear, as a hello is");
  EXPECT_EQ(ads.why(), "it does not speak TLS 1.3");
  ads.take("more");
  EXPECT_FALSE(ads.is_done());
  Handshake front(*front_keys, true);
  front.take("PSTK in the clear, as a hello is");
  EXPECT_FALSE(front.why().empty());
}

}  // namespace
}  // namespace penstock::tls_part::handshake_test
