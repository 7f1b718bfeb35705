// Calls between binaries that know each other by their keys, over real sockets.
#include "penstock/tls.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "penstock/net/remote/discovery/lookup.hpp"
#include "support/secured_calls.hpp"

namespace penstock::net::remote_test {
namespace {

using testing::MadeKeys;

TEST_F(Keys, AreTakenAsTheyAreMade) {
  keys.add("ads");
  EXPECT_EQ(fault(), "");
}

TEST_F(Keys, AreMissedByTheirFile) {
  EXPECT_EQ(fault(),
            "ads.crt: No such file or directory; `penstock keys` makes it, PENSTOCK_KEYS names its "
            "folder");
  keys.add("ads");
  std::filesystem::remove(keys.folder() + "/ads.key");
  EXPECT_TRUE(fault().starts_with("ads.key: No such file"));
  std::filesystem::remove(keys.folder() + "/ca.crt");
  EXPECT_TRUE(fault().starts_with("ca.crt: No such file"));
}

TEST_F(Keys, AreRefusedWhereOthersMayReadThem) {
  keys.add("ads");
  chmod((keys.folder() + "/ads.key").c_str(), 0604);
  EXPECT_EQ(fault(),
            "ads.key: others may read it: `chmod 600` it, or make a new one with `penstock keys`");
}

TEST_F(Keys, AreRefusedOfSomebodyElse) {
  keys.add("ads", {.uri = "penstock://test/models"});
  EXPECT_EQ(fault(), "ads.crt: is of penstock://test/models, and not of penstock://test/ads");
  keys.add("ads", {.uri = "https://example.com"});
  EXPECT_EQ(fault(), "ads.crt: is of nobody, and not of penstock://test/ads");
}

TEST_F(Keys, Fault79AreRefusedThatHaveExpired) {
  keys.add("ads", {.uri = {}, .seconds = -10});
  EXPECT_EQ(fault(), "ads.crt: has expired: `penstock keys --renew` makes another one");
}

TEST_F(Keys, AreRefusedThatDoNotFit) {
  keys.add("ads", {.uri = {}, .mismatched = true});
  EXPECT_EQ(fault(), "ads.key: is not the key of " + keys.folder() + "/ads.crt");
  MadeKeys others(folder_ + "/others");
  others.add("ads");
  for (const char* const name : {"/ads.crt", "/ads.key"}) {
    std::filesystem::copy_file(others.folder() + name, keys.folder() + name,
                               std::filesystem::copy_options::overwrite_existing);
  }
  EXPECT_EQ(fault(), "ads.crt: was not made by the authority in " + keys.folder() + "/ca.crt");
}

TEST_F(Keys, AreRefusedWhereOthersMayWriteThem) {
  keys.add("ads");
  // Who certifies is who may write there: a key of one's own needs no private one of another's.
  chmod((keys.folder() + "/ca.crt").c_str(), 0666);
  EXPECT_EQ(fault(), "ca.crt: others may write it: `chmod go-w` it");
  chmod((keys.folder() + "/ca.crt").c_str(), 0644);
  EXPECT_EQ(fault(), "");
  chmod(keys.folder().c_str(), 0777);
  EXPECT_THROW(static_cast<void>(tls({"test", "ads"}, keys.folder())), Error);
  chmod(keys.folder().c_str(), 0755);
  EXPECT_EQ(fault(), "");
}

TEST_F(Keys, AreRefusedOfAnAuthorityThatHasEnded) {
  keys.add("ads");
  keys.end_authority();
  EXPECT_EQ(fault(), "ads.crt: ca.crt does not vouch for it: certificate has expired");
}

TEST_F(Keys, AreRefusedThatAreNone) {
  keys.add("ads");
  std::filesystem::copy_file(keys.folder() + "/ca.crt", keys.folder() + "/ads.key",
                             std::filesystem::copy_options::overwrite_existing);
  chmod((keys.folder() + "/ads.key").c_str(), 0600);
  EXPECT_EQ(fault(), "ads.key: is no private key, or one with a password");
}

TEST_F(SecuredCalls, ReachAService) {
  EXPECT_TRUE(place.text().starts_with("tls://127."));
  binary.start();
  Future<Word> early = outside({"early"});
  std::optional<Ads> ads(std::in_place, *directory, 'a', 1, &place, theirs.get());
  EXPECT_EQ(end_of(std::move(early)), "early!");
  EXPECT_EQ(end_of(inside({"inside"})), "inside!");
  EXPECT_EQ(end_of(blocking_inside({"blocking"})), "blocking!");
  ads.reset();
  ads.emplace(*directory, 'b', 1, &place, theirs.get());
  EXPECT_EQ(end_of(inside({"again"})), "again!");
}

TEST_F(SecuredCalls, ReachAServiceByTheNameOfItsHosts) {
  // Nobody is at one of them.
  peer.drawn.reset();
  peer.finder = std::make_unique<Lookup>("ads.example", 7400, false, [this](const std::string&) {
    const std::string text = place.text();
    const std::size_t begin = std::string("tls://").size();
    return std::vector<std::string>{"127.0.0.99", text.substr(begin, text.rfind(':') - begin)};
  });
  binary.start();
  Future<Word> early = inside({"early"});
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  EXPECT_EQ(end_of(std::move(early)), "early!");
}

TEST_F(SecuredCalls, TakeLargeMessages) {
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  binary.start();
  const std::string large(900'000, 'x');
  std::vector<Future<Word>> calls;
  for (int count = 0; count < 4; ++count) calls.push_back(inside({large}));
  for (Future<Word>& call : calls) EXPECT_EQ(end_of(std::move(call)), large + "!");
}

TEST_F(SecuredCalls, AreManyAtOnce) {
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  binary.start();
  std::vector<Future<Word>> calls;
  for (int count = 0; count < 500; ++count) calls.push_back(outside({std::to_string(count)}));
  for (int count = 0; count < 500; ++count)
    EXPECT_EQ(end_of(std::move(calls[static_cast<std::size_t>(count)])),
              std::to_string(count) + "!");
}

TEST_F(SecuredCalls, Fault79GoToNobodyWithTheKeyOfAnotherBinary) {
  keys.add("models");
  theirs = security_of("models", keys);
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  binary.start();
  Future<Word> waits = inside({"x"});
  EXPECT_TRUE(is_down("it has the key of penstock://test/models, not of penstock://test/ads"));
  EXPECT_EQ(ads.seen.came, 0);
}

TEST_F(SecuredCalls, GoToNobodyOfAnotherAuthority) {
  MadeKeys others(folder_ + "/others");
  others.add("ads");
  theirs = security_of("ads", others);
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  binary.start();
  Future<Word> waits = inside({"x"});
  EXPECT_TRUE(is_down("its key is of another authority than this binary's"));
  // It is counted before it is said.
  EXPECT_TRUE(eventually([&] { return !ads.said().empty(); }));
  EXPECT_NE(ads.refused(Refusals::Why::key), 0U);
  const std::string said = ads.said().at(0);
  EXPECT_TRUE(said.starts_with("refused 127.0.0.1:")) << said;
  EXPECT_NE(said.find(": it refuses the key of this binary: "), std::string::npos) << said;
}

TEST_F(SecuredCalls, AreRefusedUnderAnotherName) {
  // The key is that of `front`, and the hello says that it is `models`.
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  peer.self = self_of(hello_of("models", instance_of('f')), {{"Ads/Echo", 1, 2}});
  binary.start();
  Future<Word> waits = inside({"x"});
  EXPECT_TRUE(is_down("it was closed by the other end")) << peer.figures.why_down();
  EXPECT_EQ(ads.seen.came, 0);
  EXPECT_NE(ads.refused(Refusals::Why::key), 0U);
  // Of two threads that refuse one says it, and not the one that was first to count.
  ASSERT_TRUE(eventually([&] { return !ads.said().empty(); }));
  EXPECT_TRUE(ads.said().at(0).ends_with(
      ": it has the key of penstock://test/front, not of penstock://test/models"));
}

TEST_F(SecuredCalls, Fault79GoToNobodyInTheClear) {
  // It listens in the clear.
  const Place clear = own_place();
  Ads ads(*directory, 'a', 1, &clear);
  binary.start();
  Future<Word> waits = inside({"x"});
  EXPECT_TRUE(is_down("it does not speak TLS 1.3")) << peer.figures.why_down();
}

/// Everything that the other end says, until it closes.
std::string heard_from(const Descriptor& socket) {
  std::string heard;
  std::array<char, 4096> some{};
  for (;;) {
    pollfd ready{.fd = socket.number(), .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, -1) != 1) continue;
    const ssize_t count = recv(socket.number(), some.data(), some.size(), 0);
    if (count <= 0) return heard;
    heard.append(some.data(), static_cast<std::size_t>(count));
  }
}

TEST_F(SecuredCalls, TellNothingToWhoHasNoKey) {
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
  const Descriptor stranger = own_place().connect();
  pollfd connected{.fd = stranger.number(), .events = POLLOUT, .revents = 0};
  ASSERT_EQ(poll(&connected, 1, -1), 1);
  ASSERT_EQ(send(stranger.number(), "PSTK in the clear", 17, MSG_NOSIGNAL), 17);
  // At most that it is wrong.
  EXPECT_EQ(heard_from(stranger).find("PSTK"), std::string::npos);
  EXPECT_EQ(end_of(inside({"y"})), "y!");
}

TEST_F(SecuredCalls, AreNotKeptOutByStrangersWhoSayNothing) {
  // Nobody's time is over (kPatient): each that comes takes the place of another one.
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  std::vector<Descriptor> strangers;
  for (int count = 0; count < 300; ++count) {
    strangers.push_back(own_place().connect());
    pollfd connected{.fd = strangers.back().number(), .events = POLLOUT, .revents = 0};
    ASSERT_EQ(poll(&connected, 1, -1), 1);
  }
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
  // Of two threads each keeps 64, and those who are known.
  EXPECT_TRUE(eventually([&] { return ads.guests() <= 2 * 64 + peer.figures.open; }));
  EXPECT_NE(ads.refused(Refusals::Why::crowded), 0U);
}

/// Of this process's connections that are kept alive: how long what they sent may go unanswered.
std::set<int> timeouts_ms() {
  std::set<int> found;
  constexpr int kDescriptors = 1024;
  for (int socket = 0; socket < kDescriptors; ++socket) {
    int timeout_ms = 0;
    int keeps = 0;
    socklen_t size = sizeof(int);
    if (getsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &keeps, &size) != 0 || keeps == 0) continue;
    if (getsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, &size) == 0)
      found.insert(timeout_ms);
  }
  return found;
}

TEST_F(SecuredCalls, Fault24NoticeHostsThatVanish) {
  peer.limits.host_lost = 1'500'000'000;
  const Ads ads(*directory, 'a', 1, &place, theirs.get());
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
  // Each end as its own binary has it.
  EXPECT_EQ(timeouts_ms(), (std::set<int>{1500, 20'000}));
}

/// What a client without a key, that offers these groups, hears.
std::string heard_with_groups(const Place& place, const char* groups) {
  const Descriptor socket = place.connect();
  pollfd connected{.fd = socket.number(), .events = POLLOUT, .revents = 0};
  EXPECT_EQ(poll(&connected, 1, -1), 1);
  const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(SSL_CTX_new(TLS_method()),
                                                             &SSL_CTX_free);
  EXPECT_EQ(SSL_CTX_set1_groups_list(context.get(), groups), 1);
  const std::unique_ptr<SSL, void (*)(SSL*)> ssl(SSL_new(context.get()), &SSL_free);
  SSL_set_fd(ssl.get(), socket.number());
  for (;;) {
    const int became = SSL_connect(ssl.get());
    if (became == 1) return "";
    if (SSL_get_error(ssl.get(), became) != SSL_ERROR_WANT_READ)
      return ERR_reason_error_string(ERR_get_error());
    pollfd ready{.fd = socket.number(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(poll(&ready, 1, -1), 1);
  }
}

TEST_F(SecuredCalls, AreOfOneGroupAsOthersCostTooMuch) {
  Ads ads(*directory, 'a', 1, &place, theirs.get());
  EXPECT_EQ(heard_with_groups(place, "X25519"), "") << "the certificate is asked for later";
  const std::string heard = heard_with_groups(place, "ffdhe8192");
  EXPECT_TRUE(heard.ends_with("alert handshake failure")) << heard;
}

}  // namespace
}  // namespace penstock::net::remote_test
