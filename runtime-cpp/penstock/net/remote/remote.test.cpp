// Calls between binaries, each with its pools and its counters, over real sockets.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "penstock/net/remote/client.hpp"
#include "penstock/net/remote/door.hpp"
#include "support/gate.hpp"
#include "support/small_binary.hpp"

namespace penstock::net::remote_test {
namespace {

using testing::eventually;
using testing::Gate;
using testing::pool_settings;
using testing::SmallBinary;

struct Word {
  std::string text;
};

}  // namespace
}  // namespace penstock::net::remote_test

namespace penstock::codec {

template <>
struct Message<net::remote_test::Word> {
  using Word = net::remote_test::Word;
  static std::size_t size(const Word& word) { return codec::size(1, word.text); }
  static void write(Writer& out, const Word& word) { codec::write(out, 1, word.text); }
  static bool read(Reader in, Word& word) {
    while (in.next()) {
      if (in.tag() == 1 ? !codec::read(in, word.text) : (in.skip(), false)) return false;
    }
    return true;
  }
};

}  // namespace penstock::codec

namespace penstock::net::remote_test {
namespace {

constexpr Nanos kSecond = 1'000'000'000;
// No verdict hangs on how soon a busy machine runs a thread again.
constexpr Link::Limits kPatient{
    .greet = 3600 * kSecond, .silence = kSecond / 10, .lost = 3600 * kSecond};

/// What the service of each process does, and what it saw.
struct Seen {
  Gate gate;
  std::atomic<int> came{0};
  std::atomic<int> cancelled{0};
};

struct Echo : Handler {
  using request_type = Word;
  using response_type = Word;
  Seen* shared = nullptr;

  Task<Word> handle(const Word& request) {
    ++shared->came;
    if (request.text == "fail") throw Error(ErrorCode::not_found, "no such word");
    if (request.text == "stay") {
      try {
        co_await sleep_for(std::chrono::hours(1));
      } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) ++shared->cancelled;
        throw;
      }
    }
    if (request.text == "baggage") {
      co_return Word{std::string(context().baggage_value("who"))};
    }
    co_return Word{request.text + "!"};
  }
};

/// Blocks its thread while the gate is closed: in a pool of its own, not that of the links.
struct Gated : Handler {
  using request_type = Word;
  using response_type = Word;
  Seen* shared = nullptr;

  Word handle(const Word& request) const {
    ++shared->came;
    shared->gate.pass();
    return {request.text + "!"};
  }
};

struct Asks : Handler {
  using request_type = Word;
  using response_type = Word;
  struct calls_type {
    Stub<Word, Word> echo;
  } calls;
  Task<Word> handle(const Word& request) { co_return co_await calls.echo(request); }
};

/// On a thread that may block.
struct AsksAndBlocks : Handler {
  using request_type = Word;
  using response_type = Word;
  struct calls_type {
    Stub<Word, Word> echo;
  } calls;
  Word handle(const Word& request) const { return calls.echo(request).get(); }
};

std::string instance_of(char digit) { return std::string(Directory::kIdDigits, digit); }

wire::Hello hello_of(const std::string& binary, const std::string& instance) {
  wire::Hello hello;
  hello.project = "test";
  hello.binary = binary;
  hello.instance = instance.substr(0, 16);
  hello.topology = "sha256:0";
  hello.runtime = "0.1.0";
  hello.largest_body = 1U << 20U;
  return hello;
}

Link::Self self_of(wire::Hello hello, std::vector<Wanted> wanted) {
  Link::Self self{std::move(hello), {}, std::move(wanted)};
  self.hello_bytes = wire::write_hello(self.hello);
  return self;
}

/// A process of the binary that is called.
class Ads {
 public:
  explicit Ads(const Directory& directory, char digit = 'a', std::uint64_t schema = 1)
      : directory_(directory), instance_(instance_of(digit)) {
    offer<Echo>("Ads/Echo", pool_);
    offer<Gated>("Ads/Gated", binary_.pool(pool_settings("gated", 1, 4)));
    wire::Hello hello = hello_of("ads", instance_);
    hello.services = {{0, "Ads/Echo", schema, 2}, {1, "Ads/Gated", 1, 2}};
    self_ = self_of(std::move(hello), {});
    binary_.start();
    door_.open(directory.publish("ads", instance_));
  }
  Ads(const Ads&) = delete;
  Ads& operator=(const Ads&) = delete;
  ~Ads() { close(); }

  void drain() {
    directory_.remove("ads", instance_);
    EXPECT_TRUE(door_.drain(testing::far_from_now()));
  }
  [[nodiscard]] unsigned guests() const { return door_.guests(); }
  /// As a process that ends.
  void close() {
    seen.gate.open();
    drain();
    binary_.stop();
  }
  /// As one that is killed: nothing is finished.
  void break_off() { door_.break_off(); }

  Seen seen;

 private:
  template <class H>
  void offer(const std::string& name, exec::Pool& pool) {
    call::Service& service = binary_.service<H>(name, Kind::simple, pool);
    service.implementations.front()->shared = &seen;
    Offer& offer = offers_.emplace_back();
    offer.type = &kRemoteType<Word, Word>;
    offer.site.callee = &service;
    call::enroll(offer.site, binary_.registry());
  }

  const Directory& directory_;
  const std::string instance_;
  Link::Self self_;
  std::deque<Offer> offers_;
  SmallBinary binary_;
  exec::Pool& pool_ = binary_.pool(pool_settings("ads", 2, 4));
  Door door_{self_, offers_, pool_, binary_.take_slot(), kPatient};
};

class Calls : public ::testing::Test {
 public:
  Calls() {
    char name[] = "/tmp/penstock-net-XXXXXX";
    folder_ = mkdtemp(name);
    directory = std::make_unique<Directory>(folder_ + "/run");
    peer.binary = "ads";
    peer.self =
        self_of(hello_of("front", instance_of('f')), {{"Ads/Echo", 1, 2}, {"Ads/Gated", 1, 2}});
    peer.directory = directory.get();
    peer.slot = binary.take_slot();
    peer.limits = kPatient;
    peer.patience = 3600 * kSecond;
    echo_record = {.type = &kRemoteType<Word, Word>, .peer = &peer, .outlet = 0};
    gated_record = {.type = &kRemoteType<Word, Word>, .peer = &peer, .outlet = 1};
    call::Service& echo = remote("Ads/Echo", echo_record);
    call::Service& gated = remote("Ads/Gated", gated_record);
    echo_service = &echo;
    call::Service& asks = binary.service<Asks>("Asks", Kind::simple, pool);
    binary.connect<Asks>(asks, echo, &Asks::calls_type::echo);
    call::Service& blocks = binary.service<AsksAndBlocks>("Blocks", Kind::sync_remote, blocking);
    binary.connect<AsksAndBlocks>(blocks, echo, &AsksAndBlocks::calls_type::echo);
    outside = Stub<Word, Word>(&binary.site(echo));
    outside_gated = Stub<Word, Word>(&binary.site(gated));
    inside = Stub<Word, Word>(&binary.site(asks));
    blocking_inside = Stub<Word, Word>(&binary.site(blocks));
  }
  ~Calls() override {
    binary.stop();
    std::filesystem::remove_all(folder_);
  }

 protected:
  call::Service& remote(const std::string& name, RemoteService& record) {
    call::Service& service =
        binary.service(name, Kind::async_remote, pool, {&remote_implementation()});
    service.thread = call::Service::kWhereCalled;
    service.implementations.front()->shared = &record;
    return service;
  }

  std::string folder_;
  std::unique_ptr<Directory> directory;
  Peer peer;
  RemoteService echo_record;
  RemoteService gated_record;
  call::Service* echo_service = nullptr;
  SmallBinary binary;
  exec::Pool& pool = binary.pool(pool_settings("front", 2));
  exec::Pool& blocking = binary.pool(pool_settings("blocking", 2));
  Stub<Word, Word> outside;
  Stub<Word, Word> outside_gated;
  Stub<Word, Word> inside;
  Stub<Word, Word> blocking_inside;
};

/// What became of a call: the answer, or the code and the text of its error.
std::string end_of(Future<Word> future) {
  try {
    return future.get().text;
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + ": " + error.message();
  }
}

TEST_F(Calls, ReachAServiceInAnotherBinary) {
  Ads ads(*directory);
  binary.start();
  EXPECT_EQ(end_of(outside({"outside"})), "outside!");
  EXPECT_EQ(end_of(inside({"inside"})), "inside!");
  EXPECT_EQ(end_of(blocking_inside({"blocking"})), "blocking!");
  EXPECT_EQ(ads.seen.came, 3);
  EXPECT_EQ(binary.done(*echo_service), 3U);
}

TEST_F(Calls, GetTheErrorOfTheService) {
  Ads ads(*directory);
  binary.start();
  EXPECT_EQ(end_of(inside({"fail"})), "not_found: no such word");
}

TEST_F(Calls, TakeTheDeadlineAlongAndTellThatNobodyWaits) {
  Ads ads(*directory);
  echo_service->deadline_ns = kSecond / 20;
  binary.start();
  EXPECT_TRUE(eventually([&] {
    EXPECT_TRUE(end_of(inside({"stay"})).starts_with("deadline_exceeded: ")) << "by either end";
    return ads.seen.cancelled != 0;
  }));
}

TEST_F(Calls, AreGivenUpOverThereWhenTheirCallerIs) {
  Ads ads(*directory);
  binary.start();
  {
    const Future<Word> dropped = inside({"stay"});
    ASSERT_TRUE(eventually([&] { return ads.seen.came == 1; }));
  }
  EXPECT_TRUE(eventually([&] { return ads.seen.cancelled == 1; }));
  EXPECT_EQ(end_of(inside({"next"})), "next!");
}

TEST_F(Calls, WaitForABinaryThatIsNotThereYet) {
  binary.start();
  std::promise<std::string> end;
  std::thread waits([&] { end.set_value(end_of(inside({"early"}))); });
  ASSERT_TRUE(eventually([&] { return echo_service->sent_count() == 1; }));
  const Ads ads(*directory);
  EXPECT_EQ(end.get_future().get(), "early!");
  waits.join();
}

TEST_F(Calls, SayWhyNobodyIsReached) {
  peer.patience = 1;
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})),
            "unavailable: call to Ads/Echo: ads cannot be reached: it is not running, by " +
                directory->folder());
}

TEST_F(Calls, AreCountedByTheirLinks) {
  const LinkFigures& figures = peer.figures;
  {
    Ads ads(*directory);
    binary.start();
    EXPECT_EQ(end_of(outside({std::string(5000, 'x')})), std::string(5000, 'x') + "!");
    EXPECT_EQ(figures.open, 1U);
    EXPECT_GT(figures.sent_bytes, 5000U);
    // Counted once the answer has been handed on.
    EXPECT_TRUE(eventually([&] { return figures.received_bytes > 5000U; }));
    EXPECT_TRUE(eventually([&] { return figures.round_trip != 0; }));
    EXPECT_EQ(figures.waiting, 0U);
    EXPECT_EQ(figures.why_down(), "");
    ads.break_off();
    // Twice, where it came back to the other worker meanwhile.
    EXPECT_TRUE(eventually([&] { return figures.broken >= 1; }));
  }
  EXPECT_TRUE(eventually([&] { return figures.open == 0; }));
  EXPECT_EQ(figures.why_down(), "") << "nobody needs it";
  const Future<Word> waits = outside({"x"});
  EXPECT_TRUE(eventually([&] { return figures.waiting == 1; }));
  const std::string nobody = "ads cannot be reached: it is not running, by " + directory->folder();
  EXPECT_TRUE(eventually([&] { return figures.why_down() == nobody; })) << figures.why_down();
  const std::uint64_t changes = figures.changes();
  const Ads again(*directory, 'b');
  EXPECT_TRUE(eventually([&] { return figures.open == 1 && figures.waiting == 0; }));
  EXPECT_EQ(figures.why_down(), "");
  EXPECT_GT(figures.changes(), changes);
}

TEST_F(Calls, SayThatNobodyIsReachedAlsoWhereNoneWaitsForLong) {
  echo_service->deadline_ns = kSecond / 20;
  binary.start();
  EXPECT_TRUE(eventually([&] {
    EXPECT_TRUE(end_of(outside({"x"})).starts_with("deadline_exceeded: "));
    return !peer.figures.why_down().empty();
  }));
}

TEST_F(Calls, WaitForAsLongAsNobodyIsReachedWhereTheirSiteIsPatient) {
  peer.patience = 1;
  const call::CallSite& site = binary.site(*echo_service);
  peer.patient.push_back(&site);
  binary.start();
  const Stub<Word, Word> patient(&site);
  std::vector<Future<Word>> calls;
  for (int count = 0; count < 8; ++count) calls.push_back(patient({"early"}));
  for (int count = 0; count < 8; ++count)
    EXPECT_TRUE(end_of(outside({"x"})).starts_with("unavailable: "));
  const Ads ads(*directory);
  for (Future<Word>& call : calls) EXPECT_EQ(end_of(std::move(call)), "early!");
}

TEST_F(Calls, AreNotPatientWhenTheirBinaryStops) {
  peer.patience = 1;
  const call::CallSite& site = binary.site(*echo_service);
  peer.patient.push_back(&site);
  binary.start();
  Future<Word> waits = Stub<Word, Word>(&site)({"x"});
  ASSERT_TRUE(eventually([&] { return echo_service->sent_count() == 1; }));
  peer.stops = true;
  EXPECT_TRUE(end_of(std::move(waits)).starts_with("unavailable: "));
}

TEST_F(Calls, EndAtTheirDeadlineWhileNobodyIsReached) {
  echo_service->deadline_ns = kSecond / 50;
  binary.start();
  EXPECT_TRUE(end_of(inside({"x"})).starts_with("deadline_exceeded: ")) << "by either end";
  const Future<Word> not_awaited = outside({"x"});
  EXPECT_TRUE(eventually([&] { return binary.done(*echo_service) == 2; }));
}

TEST_F(Calls, SayThatTheDefinitionDiffers) {
  Ads ads(*directory, 'a', 7);
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})),
            "unimplemented: call to Ads/Echo: ads: the request of Ads/Echo has another definition "
            "there");
}

TEST_F(Calls, WaitWhileTheOtherEndIsFull) {
  Ads ads(*directory);
  binary.start();
  ads.seen.gate.close();
  std::vector<Future<Word>> futures;
  futures.reserve(100);
  for (std::size_t call = 0; call < 100; ++call)
    futures.push_back(outside_gated({std::to_string(call)}));
  ads.seen.gate.wait_for_one();
  EXPECT_EQ(end_of(outside({"another service"})), "another service!");
  ads.seen.gate.open();
  for (std::size_t call = 0; call < 100; ++call)
    EXPECT_EQ(end_of(std::move(futures[call])), std::to_string(call) + "!");
}

TEST_F(Calls, AreSpreadOverReplicas) {
  Ads one(*directory, 'a');
  Ads two(*directory, 'b');
  binary.start();
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(end_of(inside({"x"})), "x!");
    return one.seen.came > 0 && two.seen.came > 0;
  }));
}

TEST_F(Calls, FindAReplicaThatComesLater) {
  Ads one(*directory, 'a');
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
  Ads two(*directory, 'b');
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(end_of(inside({"x"})), "x!");
    return two.seen.came > 0;
  }));
}

TEST_F(Calls, EndOnceWhenTheirLinkBreaks) {
  Ads one(*directory, 'a');
  binary.start();
  Future<Word> lost = inside({"stay"});
  ASSERT_TRUE(eventually([&] { return one.seen.came == 1; }));
  one.break_off();
  EXPECT_EQ(end_of(std::move(lost)),
            "unavailable: call to Ads/Echo: the link to ads broke while it was under way; it may "
            "have been run");
  // The process is there still, and takes what comes next.
  EXPECT_EQ(end_of(inside({"next"})), "next!");
}

TEST_F(Calls, AreSentAgainWhereThatIsDrawn) {
  Ads one(*directory, 'a');
  echo_record.idempotent = true;
  binary.start();
  Future<Word> lost = inside({"stay"});
  ASSERT_TRUE(eventually([&] { return one.seen.came == 1; }));
  // Two links at most: it may have come back to the other worker meanwhile.
  one.break_off();
  ASSERT_TRUE(eventually([&] { return one.seen.came >= 2; }));
  // It may be what breaks them. Only links that have brought it: a link that is not open yet loses
  // none. Where one broke before the call began over there, it does not come four times.
  int cut = 1;
  EXPECT_TRUE(eventually([&] {
    const int came = one.seen.came;
    if (came > cut) {
      cut = came;
      one.break_off();
    }
    return lost.ready();
  }));
  EXPECT_TRUE(end_of(std::move(lost)).starts_with("unavailable: "));
  EXPECT_LE(one.seen.came, 4);
}

TEST_F(Calls, GoElsewhereWhenAReplicaDrains) {
  auto one = std::make_unique<Ads>(*directory, 'a');
  binary.start();
  one->seen.gate.close();
  Future<Word> slow = outside_gated({"slow"});
  one->seen.gate.wait_for_one();
  Ads two(*directory, 'b');
  one->drain();
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(end_of(inside({"x"})), "x!");
    return two.seen.came > 0;
  }));
  one->seen.gate.open();
  EXPECT_EQ(end_of(std::move(slow)), "slow!");
  one.reset();
  EXPECT_EQ(end_of(inside({"y"})), "y!");
}

// Nor those that were on their way when it was told of the end.
TEST_F(Calls, AreNotLostWhenAReplicaDrains) {
  Ads stays(*directory, 'f');
  binary.start();
  for (char digit = '0'; digit <= '9'; ++digit) {
    Ads goes(*directory, digit);
    std::atomic<bool> ends{false};
    std::vector<std::thread> callers(2);
    for (std::thread& caller : callers) {
      caller = std::thread([&] {
        while (!ends) EXPECT_EQ(end_of(inside({"x"})), "x!");
      });
    }
    ASSERT_TRUE(eventually([&] { return goes.seen.came > 10; }));
    goes.drain();
    EXPECT_TRUE(eventually([&] { return goes.guests() == 0; }));
    ends = true;
    for (std::thread& caller : callers) caller.join();
  }
}

TEST_F(Calls, SurviveThatTheirThreadsComeAndGo) {
  Ads ads(*directory);
  binary.start();
  std::atomic<bool> ends{false};
  std::thread changes([&] {
    unsigned threads = 1;
    while (!ends) {
      EXPECT_EQ(pool.resize(threads, testing::far_from_now() - now_ns()), threads);
      threads = 3 - threads;
    }
  });
  for (int call = 0; call < 300; ++call) EXPECT_EQ(end_of(inside({"x"})), "x!");
  ends = true;
  changes.join();
}

}  // namespace
}  // namespace penstock::net::remote_test
