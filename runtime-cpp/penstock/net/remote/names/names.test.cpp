// Services that a binary publishes, and that another one resolves, over real sockets.
#include "penstock/net/remote/names/names.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "penstock/net.hpp"
#include "support/calls_between.hpp"

namespace penstock::net::names_test {

using testing::eventually;
using testing::Gate;

struct Question {
  std::string text;
};
struct Answer {
  std::string text;
};
/// Another message of the same fields as Question, with another hash.
struct Changed {
  std::string text;
};

template <class Word>
struct WordCodec {
  static std::size_t size(const Word& word) { return codec::size(1, word.text); }
  static void write(codec::Writer& out, const Word& word) { codec::write(out, 1, word.text); }
  static bool read(codec::Reader in, Word& word) {
    while (in.next()) {
      if (in.tag() == 1 ? !codec::read(in, word.text) : (in.skip(), false)) return false;
    }
    return true;
  }
};

}  // namespace penstock::net::names_test

namespace penstock::codec {
template <>
struct Message<net::names_test::Question> : net::names_test::WordCodec<net::names_test::Question> {
  static constexpr std::uint64_t kSchema = 0x1111111111111111;
};
template <>
struct Message<net::names_test::Answer> : net::names_test::WordCodec<net::names_test::Answer> {
  static constexpr std::uint64_t kSchema = 0x2222222222222222;
};
template <>
struct Message<net::names_test::Changed> : net::names_test::WordCodec<net::names_test::Changed> {
  static constexpr std::uint64_t kSchema = 0x3333333333333333;
};
}  // namespace penstock::codec

namespace penstock::net::names_test {
namespace {

using remote_test::hello_of;
using remote_test::instance_of;
using remote_test::kPatient;
using remote_test::own_host;
using remote_test::own_place;
using remote_test::self_of;

/// A process of the binary that publishes.
class Shop {
 public:
  explicit Shop(const Directory& directory, const Place* address = nullptr,
                const std::string& binary = "shop")
      : directory_(directory), name_(binary) {
    self_ = self_of(hello_of(name_, instance_of('a')), {});
    door_.board()->reserve(pool_, binary_.registry(), slots_);
    binary_.start();
    door_.open(address != nullptr ? *address : directory.publish(name_, instance_of('a')));
  }
  Shop(const Shop&) = delete;
  Shop& operator=(const Shop&) = delete;
  ~Shop() { stop(); }

  void drain() {
    directory_.remove(name_, instance_of('a'));
    EXPECT_TRUE(door_.drain(testing::far_from_now()));
  }
  void stop() {
    drain();
    binary_.stop();
  }
  [[nodiscard]] const std::shared_ptr<Board>& board() const { return door_.board(); }
  [[nodiscard]] unsigned guests() const { return door_.guests(); }
  [[nodiscard]] std::uint64_t refused(Refusals::Why why) const {
    return door_.refusals().counted(why);
  }

 private:
  const Directory& directory_;
  const std::string name_;
  Link::Self self_;
  std::deque<Offer> offers_;
  testing::SmallBinary binary_;
  exec::Pool& pool_ = binary_.pool(testing::pool_settings("shop", 2, 64));
  std::uint32_t slots_ = 100;  // beyond those of services
  Door door_{self_, offers_, pool_, binary_.take_slot(), kPatient, {}};
};

std::string why_not(const Error& error) {
  return std::string(to_string(error.code())) + ": " + error.message();
}

/// What became of it: the answer, or the code and the text of its error.
template <class Asked>
std::string end_of(const Asked& asked) {
  try {
    return asked();
  } catch (const Error& error) {
    return why_not(error);
  }
}

std::string ask(const Stub<Question, Answer>& remote, const std::string& text) {
  return end_of([&] { return remote({text}).get().text; });
}

/// On a worker.
struct Ends : Handler {
  using request_type = Question;
  using response_type = Answer;
  Published* shared = nullptr;
  Task<Answer> handle(const Question& request) {
    co_await unpublish(std::move(*shared));
    co_return Answer{request.text};
  }
};
struct Looks : Handler {
  using request_type = Question;
  using response_type = Answer;
  static Task<Answer> handle(const Question& request) {
    const auto remote = co_await resolve<Question, Answer>(request.text);
    const Question asked{"from a handler"};
    co_return co_await remote(asked);
  }
};

/// A binary that resolves. What is published is of the shop that set_board() was told of.
class PublishedServices : public ::testing::Test {
 public:
  PublishedServices() {
    char name[] = "/tmp/penstock-net-XXXXXX";
    folder_ = mkdtemp(name);
    directory = std::make_unique<Directory>(folder_ + "/run");
    std::uint32_t slots = 100;
    names.resolved.reserve(pool, binary.registry(), slots);
    names.resolved.begin(hello_of("front", instance_of('f')), *directory, nullptr,
                         [this](Peer& peer) { lead_as_drawn(peer); });
    be_patient(3600 * remote_test::kSecond);
    call::Service& ends_service = binary.service<Ends>("Ends", Kind::simple, pool);
    ends_service.implementations.front()->give_extras().shared = &offer;
    ends = Stub<Question, Answer>(&binary.site(ends_service));
    looks =
        Stub<Question, Answer>(&binary.site(binary.service<Looks>("Looks", Kind::simple, pool)));
    binary.start();
    Names::set(&names);
  }
  ~PublishedServices() override {
    offer = {};
    Names::set(nullptr);
    binary.stop();
    std::filesystem::remove_all(folder_);
  }

 protected:
  /// By the drawing `shop` listens there, and all others at no address.
  void lead_as_drawn(Peer& peer) const {
    if (peer.binary == "shop") peer.drawn = Directory::drawn_at(drawn);
  }
  void be_patient(Nanos patience) noexcept {
    names.resolved.set_limits(kPatient);
    names.resolved.set_patience(patience);
  }
  /// All that is called leaves through the same links.
  void be_one_thread() { EXPECT_EQ(pool.resize(1, testing::far_from_now() - now_ns()), 1U); }
  void publish_at(const Shop& shop) { names.board = shop.board(); }
  [[nodiscard]] static Published publish_echo(const std::string& mark = "!",
                                              PublishOptions options = {}) {
    return publish<Question, Answer>(
        "Shop/Echo", [mark](const Question& asked) { return Answer{asked.text + mark}; },
        std::move(options));
  }
  [[nodiscard]] static std::string why_unresolved(const std::string& uri,
                                                  const ResolveOptions& options = {}) {
    return end_of([&] {
      (void)resolve<Question, Answer>(uri, options).get();
      return std::string("it is there");
    });
  }

  std::string folder_;
  Place drawn = own_place();
  std::unique_ptr<Directory> directory;
  Names names;
  Published offer;
  testing::SmallBinary binary;
  exec::Pool& pool = binary.pool(testing::pool_settings("front", 2));
  Stub<Question, Answer> ends;
  Stub<Question, Answer> looks;
};

const std::string kEcho = "local://shop/Shop/Echo";

TEST_F(PublishedServices, AreCalledByWhoResolvesThem) {
  Shop shop(*directory);
  publish_at(shop);
  offer = publish_echo();
  const auto remote = resolve<Question, Answer>(kEcho).get();
  EXPECT_EQ(ask(remote, "x"), "x!");
  EXPECT_EQ(looks({kEcho}).get().text, "from a handler!");
  EXPECT_EQ(names.resolved.count(), 1U) << "the same one for all who look for it";
}

TEST_F(PublishedServices, AreCalledAtAnAddress) {
  const Place place = own_place();
  Shop shop(*directory, &place);
  publish_at(shop);
  offer = publish_echo();
  const std::string uri = "tcp://" + own_host() + ":7400/Shop/Echo";
  EXPECT_EQ(ask(resolve<Question, Answer>(uri).get(), "x"), "x!");
}

TEST_F(PublishedServices, AreFoundWhereTheDrawingSaysThatTheirBinaryIs) {
  Shop shop(*directory, &drawn);
  publish_at(shop);
  offer = publish_echo();
  EXPECT_EQ(ask(resolve<Question, Answer>("binary://shop/Shop/Echo").get(), "x"), "x!");
}

TEST_F(PublishedServices, AreFoundInTheDirectoryWhereTheDrawingSaysNothingElse) {
  Shop stall(*directory, nullptr, "stall");
  publish_at(stall);
  offer = publish_echo();
  EXPECT_EQ(ask(resolve<Question, Answer>("binary://stall/Shop/Echo").get(), "x"), "x!");
}

TEST_F(PublishedServices, TakeErrorsDeadlinesAndBaggageAlong) {
  Shop shop(*directory);
  publish_at(shop);
  offer = publish<Question, Answer>("Shop/Echo", [](const Question& asked) -> Task<Answer> {
    if (asked.text == "fail") throw Error(ErrorCode::not_found, "no such word");
    if (asked.text == "stay") co_await sleep_for(std::chrono::hours(1));
    co_return Answer{std::to_string(static_cast<int>(context().deadline_ns != 0))};
  });
  const auto remote = resolve<Question, Answer>(kEcho).get();
  EXPECT_EQ(ask(remote, "x"), "0");
  EXPECT_EQ(ask(remote, "fail"), "not_found: no such word");
  // In so little time it is only found once there is a link.
  std::optional<Stub<Question, Answer>> hurried;
  EXPECT_TRUE(eventually([&hurried] {
    return end_of([&hurried] {
             hurried = resolve<Question, Answer>(kEcho, {.deadline_ms = 50}).get();
             return std::string();
           })
        .empty();
  }));
  ASSERT_TRUE(hurried);
  EXPECT_EQ(ask(*hurried, "stay").substr(0, 17), "deadline_exceeded");
}

// What they are called by is as it is where nothing is drawn: no answer, or one that is a
// function's.
TEST_F(PublishedServices, MayGiveNoAnswer) {
  Shop shop(*directory);
  publish_at(shop);
  std::atomic<int> came = 0;
  offer = publish<Question, void>("Shop/Note", [&came](Question asked) {
    if (asked.text == "x") ++came;
  });
  resolve<Question, void>("local://shop/Shop/Note").get()({"x"}).get();
  EXPECT_EQ(came, 1);
}

TEST_F(PublishedServices, SayWhatIsWrongWithTheirNames) {
  names.board = std::make_shared<Board>();
  EXPECT_EQ(end_of([] { return (void)publish_echo(), std::string(); }),
            "failed_precondition: this binary is not open for others yet");
  Shop shop(*directory);
  publish_at(shop);
  offer = publish_echo();
  EXPECT_EQ(end_of([] { return (void)publish_echo(), std::string(); }),
            "already_exists: Shop/Echo is offered already");
  const auto named = [](const std::string& name) {
    return end_of([&name] {
      (void)publish<Question, void>(name, [](const Question&) {});
      return std::string();
    });
  };
  EXPECT_EQ(named("Echo"),
            "invalid_argument: \"Echo\" is no name to publish: BUNDLE/SERVICE is one");
  EXPECT_EQ(named("Shop/Echo/Other").substr(0, 16), "invalid_argument");
  EXPECT_EQ(named("Shop/\n").substr(0, 16), "invalid_argument");
}

TEST_F(PublishedServices, HaveSoManyPlacesAndNoMore) {
  Shop shop(*directory);
  publish_at(shop);
  const auto number = [](std::size_t at) {
    return publish<Question, void>("Shop/" + std::to_string(at), [](const Question&) {});
  };
  std::vector<Published> all;
  for (std::size_t at = 0; at < Board::kMostPublished; ++at) all.push_back(number(at));
  EXPECT_EQ(end_of([&] { return (void)number(99), std::string(); }),
            "resource_exhausted: a process publishes 16 services at once, and they are all taken");
  all.front() = {};
  all.front() = number(99);
  EXPECT_EQ(shop.board()->shown().front().name, "Shop/99");
}

TEST_F(PublishedServices, AreResolvedInSoManyPlacesAndNoMore) {
  for (std::size_t at = 0; at < Resolved::kMost; ++at)
    (void)names.resolved.find({.uri = "local://shop/Shop/" + std::to_string(at)});
  EXPECT_EQ(why_unresolved(kEcho),
            "resource_exhausted: a process resolves 16 services in all its time, and they are all "
            "taken");
}

// --- who is not reached, and why ---

TEST_F(PublishedServices, SayWhatIsNoAddress) {
  EXPECT_EQ(why_unresolved("shop/Shop/Echo"),
            "invalid_argument: \"shop/Shop/Echo\" names no service: it has no scheme, as "
            "tcp://HOST:PORT/BUNDLE/SERVICE");
  EXPECT_EQ(why_unresolved("tcp+delivery://127.0.0.1:7400/Shop/Echo"),
            "invalid_argument: \"tcp+delivery://127.0.0.1:7400/Shop/Echo\" names no service: each "
            "transport has the layers that it needs, and delivery is none that is added");
  EXPECT_EQ(why_unresolved("tls://10.0.0.5:7400/Shop/Echo"),
            "failed_precondition: 10.0.0.5 is called with keys, and this binary has none: its "
            "drawing calls, and listens, on this host alone");
  EXPECT_EQ(
      why_unresolved("udp://models.example:7400/Shop/Echo"),
      "failed_precondition: models.example is called with keys, and this binary has none: its "
      "drawing calls, and listens, on this host alone");
  // As it is announced.
  EXPECT_EQ(why_unresolved("udp+keys://127.0.0.1:7400/Shop/Echo"),
            "failed_precondition: 127.0.0.1 is called with keys, and this binary has none: its "
            "drawing calls, and listens, on this host alone");
  drawn = Place::ip("10.0.0.5", 7400, {.secured = true});
  EXPECT_EQ(why_unresolved("binary://shop/Shop/Echo"),
            "failed_precondition: shop is called with keys, and this binary has none: its "
            "drawing calls, and listens, on this host alone");
  for (const std::string scheme : {"binary", "local"}) {
    EXPECT_EQ(why_unresolved(scheme + ":///Shop/Echo"),
              "invalid_argument: \"" + scheme + ":///Shop/Echo\" names no service: it has no " +
                  "binary, as " + scheme + "://BINARY/BUNDLE/SERVICE");
  }
  for (const std::string host : {"0.0.0.0", "239.1.2.3", "255.255.255.255", "[::]", "[ff02::1]",
                                 "[fe80::1]", "[::ffff:239.1.2.3]"}) {
    const std::string uri = "udp://" + host + ":7400/Shop/Echo";
    EXPECT_EQ(why_unresolved(uri), "invalid_argument: \"" + uri +
                                       "\" names no service: its host is all addresses of one, "
                                       "or of several, or of one link alone");
  }
  EXPECT_EQ(names.resolved.count(), 0U);
}

TEST_F(PublishedServices, SayThatSuchABinaryIsNotThere) {
  be_patient(1);
  EXPECT_EQ(why_unresolved(kEcho),
            "unavailable: call to local://shop/Shop/Echo: shop cannot be "
            "reached: it is not running, by " +
                directory->folder());
}

TEST_F(PublishedServices, SayThatNobodyListensThere) {
  be_patient(1);
  const std::string at = own_host() + ":7400";
  // Who is so little patient may be told before anybody has answered.
  EXPECT_TRUE(eventually([&] {
    return why_unresolved("tcp://" + at + "/Shop/Echo") ==
           "unavailable: call to tcp://" + at + "/Shop/Echo: " + at + " cannot be reached: tcp://" +
               at + ": Connection refused";
  }));
}

TEST_F(PublishedServices, AreNotResolvedBeyondTheDeadlineOfWhoAsks) {
  const std::string why = end_of([] {
    (void)resolve<Question, Answer>(kEcho, {.deadline_ms = 20}).get();
    return std::string("it is there");
  });
  EXPECT_EQ(why.substr(0, 17), "deadline_exceeded");
}

TEST_F(PublishedServices, SayThatSuchAServiceIsNotThere) {
  Shop shop(*directory);
  EXPECT_EQ(why_unresolved(kEcho),
            "unimplemented: call to local://shop/Shop/Echo: shop: it has no "
            "service Shop/Echo");
}

TEST_F(PublishedServices, SayThatTheirDefinitionDiffers) {
  Shop shop(*directory);
  publish_at(shop);
  offer = publish<Changed, Answer>("Shop/Echo", [](const Changed&) { return Answer{}; });
  EXPECT_EQ(why_unresolved(kEcho),
            "unimplemented: call to local://shop/Shop/Echo: shop: the request of Shop/Echo has "
            "another definition there (3333333333333333, here 1111111111111111)");
}

TEST_F(PublishedServices, AreCalledByThoseWhoMay) {
  be_one_thread();
  Shop shop(*directory);
  publish_at(shop);
  offer = publish_echo("!", {.callers = {{"others"}}});
  const auto remote = resolve<Question, Answer>(kEcho).get();
  EXPECT_EQ(ask(remote, "x"),
            "permission_denied: front is not one of those who may call Shop/Echo");
  EXPECT_EQ(shop.refused(Refusals::Why::not_drawn), 1U);
  offer = {};
  offer = publish_echo("!", {.callers = {{"front"}}});
  EXPECT_TRUE(eventually([&] { return ask(remote, "x") == "x!"; }));
}

// --- what comes and goes ---

TEST_F(PublishedServices, AreNotThereAnyMoreOnceTheyAreUnpublished) {
  be_one_thread();
  Shop shop(*directory);
  publish_at(shop);
  offer = publish_echo();
  const auto remote = resolve<Question, Answer>(kEcho).get();
  EXPECT_EQ(ask(remote, "x"), "x!");
  EXPECT_EQ(ends({"ended"}).get().text, "ended");
  EXPECT_EQ(ask(remote, "x"), "unimplemented: shop: it has no service Shop/Echo any more");
  EXPECT_EQ(ask(remote, "x"),
            "unimplemented: call to local://shop/Shop/Echo: shop: it has no service Shop/Echo");
  // And what comes back is found by who resolved it before.
  offer = publish_echo("?");
  EXPECT_EQ(ask(remote, "x"), "x?");
}

TEST_F(PublishedServices, EndWhenTheCallsThatAreUnderWayHave) {
  be_one_thread();
  Shop shop(*directory);
  publish_at(shop);
  Completion<void> goes_on;
  const auto go_on = goes_on.callback();
  Gate came;
  came.close();
  std::weak_ptr<int> handler;
  {
    auto owned = std::make_shared<int>(1);
    handler = owned;
    offer = publish<Question, Answer>(
        "Shop/Echo", [&goes_on, &came, owned](const Question& asked) -> Task<Answer> {
          came.open();
          co_await goes_on;
          co_return Answer{asked.text + "!"};
        });
  }
  const auto remote = resolve<Question, Answer>(kEcho).get();
  Future<Answer> under_way = remote({"x"});
  came.pass();
  Future<Answer> ending = ends({"ended"});
  // Others are refused from then on.
  EXPECT_TRUE(eventually([&] { return shop.board()->find("Shop/Echo") == nullptr; }));
  EXPECT_EQ(ask(remote, "y"), "unimplemented: shop: it has no service Shop/Echo any more");
  EXPECT_FALSE(ending.ready());
  EXPECT_FALSE(handler.expired());
  go_on();
  EXPECT_EQ(ending.get().text, "ended");
  EXPECT_TRUE(handler.expired());
  EXPECT_EQ(under_way.get().text, "x!");
}

TEST_F(PublishedServices, AreFoundAgainWhereTheirProcessComesBack) {
  std::optional<Shop> shop(std::in_place, *directory);
  publish_at(*shop);
  offer = publish_echo("1");
  const auto remote = resolve<Question, Answer>(kEcho).get();
  EXPECT_EQ(ask(remote, "x"), "x1");
  offer = {};
  names.board.reset();
  shop.reset();
  shop.emplace(*directory);
  publish_at(*shop);
  offer = publish_echo("2");
  // Who has not heard yet that it went may have sent a call to the one that did.
  EXPECT_TRUE(eventually([&] { return ask(remote, "x") == "x2"; }));
}

TEST_F(PublishedServices, SayThatTheirProcessDrains) {
  be_one_thread();
  be_patient(1);
  Shop shop(*directory);
  publish_at(shop);
  const std::string place = directory->instances("shop").at(0).place.text();
  Completion<void> goes_on;
  const auto go_on = goes_on.callback();
  Gate came;
  came.close();
  offer = publish<Question, Answer>("Shop/Echo",
                                    [&goes_on, &came](const Question& asked) -> Task<Answer> {
                                      // Others may come until it is known that it drains.
                                      if (asked.text == "x") {
                                        came.open();
                                        co_await goes_on;
                                      }
                                      co_return Answer{asked.text + "!"};
                                    });
  // Who is so little patient is told that nobody is there until a link is.
  EXPECT_TRUE(eventually([&] { return why_unresolved(kEcho) == "it is there"; }));
  const auto remote = resolve<Question, Answer>(kEcho).get();
  Future<Answer> under_way = remote({"x"});
  came.pass();
  shop.drain();
  EXPECT_TRUE(eventually([&] {
    return ask(remote, "y") ==
           "unavailable: call to " + kEcho + ": shop cannot be reached: " + place + ": it drains";
  }));
  go_on();
  EXPECT_EQ(under_way.get().text, "x!");
}

// What ends while the board looks at it ends without the board's mutex, which a handler that owns
// what is published needs.
TEST_F(PublishedServices, MayOwnOthersThatArePublished) {
  Shop shop(*directory);
  publish_at(shop);
  const auto publish_note = [](const std::string& name) {
    return publish<Question, void>(name, [](const Question&) {});
  };
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    while (!is_over) (void)publish_note("Shop/Other");
  });
  for (int round = 0; round < 300; ++round) {
    auto owned = std::make_shared<Published>(publish_note("Shop/Owned"));
    offer = publish<Question, void>("Shop/Echo", [owned = std::move(owned)](const Question&) {});
    auto call = shop.board()->find("Shop/Echo");
    offer = {};
    for (int turn = 0; turn < round % 50; ++turn) static_cast<void>(call->is_withdrawn.load());
    call.reset();
    EXPECT_TRUE(eventually([&] { return shop.board()->find("Shop/Owned") == nullptr; }));
  }
  is_over = true;
  other.join();
}

// Links that begin before, after and while a service comes and goes, from several threads.
TEST_F(PublishedServices, ComeAndGoWhileTheyAreCalled) {
  Shop shop(*directory);
  publish_at(shop);
  std::atomic<bool> is_over{false};
  std::atomic<int> came{0};
  std::vector<std::thread> callers;
  callers.reserve(3);
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&is_over] {
      while (!is_over) {
        const std::string end =
            end_of([] { return resolve<Question, Answer>(kEcho).get()({"x"}).get().text; });
        EXPECT_TRUE(end == "x!" || end.starts_with("unimplemented: ")) << end;
      }
    });
  }
  for (int round = 0; round < 20; ++round) {
    const int before = came;
    offer = publish<Question, Answer>("Shop/Echo", [&came](const Question& asked) {
      ++came;
      return Answer{asked.text + "!"};
    });
    EXPECT_TRUE(eventually([&] { return came > before + round % 3; }));
    if (round % 2 == 0) {
      offer = {};
    } else {
      EXPECT_EQ(ends({"ended"}).get().text, "ended");
    }
  }
  is_over = true;
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace penstock::net::names_test
