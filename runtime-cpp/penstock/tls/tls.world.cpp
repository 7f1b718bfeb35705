// Calls to another binary that is known by its key, in simulated worlds: over streams and over
// datagrams, with the keys and the handshakes of OpenSSL. What those draw is no world's, but of
// fixed lengths: whatever it is, a world takes the same way.
#include "penstock/tls.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "support/made_keys.hpp"
#include "world/drawn_peers.hpp"

namespace penstock::tls_part::tls_world {
namespace {

using namespace penstock::world::peers;
using world::explore;
using world::Random;
using world::World;

/// Of both binaries, made once.
class Keys {
 public:
  Keys() : folder_(made_folder()), keys_(folder_ + "/keys") {
    keys_.add("front");
    keys_.add("ads");
    front_ = tls({"test", "front"}, keys_.folder());
    ads_ = tls({"test", "ads"}, keys_.folder());
  }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  ~Keys() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] Way over(bool udp) const {
    return {.transport = {.udp = udp, .secured = true}, .front = front_.get(), .ads = ads_.get()};
  }

 private:
  static std::string made_folder() {
    char name[] = "/tmp/penstock-keys-XXXXXX";
    return mkdtemp(name);
  }
  const std::string folder_;
  testing::MadeKeys keys_;
  std::unique_ptr<net::Security> front_;
  std::unique_ptr<net::Security> ads_;
};

TEST(TlsWorld, EndsEachCallOnceWhateverItsProcessesDo) {
  const Keys keys;
  explore([&keys](World& world) {
    Random& random = world.random();
    Drawn drawn(world, {.breaks = random.once_in(2),
                        .kills = random.once_in(3),
                        .hangs = random.once_in(3),
                        .drains = random.once_in(2),
                        .resizes = random.once_in(3),
                        .steady = random.once_in(2),
                        .way = keys.over(false)});
    drawn.run();
  });
}

// A byte that was changed ends the link.
TEST(TlsWorld, KeepsCallsAsTheyAreWhereBytesAreChanged) {
  const Keys keys;
  explore([&keys](World& world) {
    Random& random = world.random();
    Drawn drawn(world, {.breaks = random.once_in(3),
                        .kills = random.once_in(3),
                        .drains = random.once_in(3),
                        .steady = random.once_in(2),
                        .forged = true,
                        .way = keys.over(false)});
    drawn.run();
  });
}

TEST(TlsWorld, EndsEachCallOnceWhateverHappensToItsDatagrams) {
  const Keys keys;
  explore([&keys](World& world) {
    Random& random = world.random();
    Drawn drawn(world, {.breaks = random.once_in(2),
                        .kills = random.once_in(3),
                        .hangs = random.once_in(3),
                        .drains = random.once_in(3),
                        .resizes = random.once_in(3),
                        .steady = random.once_in(2),
                        .way = keys.over(true)});
    drawn.run();
  });
}

// One that was changed is one that was lost: it ends nothing.
TEST(TlsWorld, KeepsCallsAsTheyAreWhereDatagramsAreForged) {
  const Keys keys;
  explore([&keys](World& world) {
    Random& random = world.random();
    Drawn drawn(world, {.breaks = random.once_in(3),
                        .kills = random.once_in(3),
                        .hangs = random.once_in(4),
                        .drains = random.once_in(3),
                        .resizes = random.once_in(3),
                        .steady = random.once_in(2),
                        .forged = true,
                        .way = keys.over(true)});
    drawn.run();
  });
}

}  // namespace
}  // namespace penstock::tls_part::tls_world
