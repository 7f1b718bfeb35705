// Calls to a binary of several processes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/calls_between.hpp"

namespace penstock::net::remote_test {
namespace {

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

/// Those of a directory; counts how often somebody looked.
class CountsLooks final : public Finder {
 public:
  explicit CountsLooks(const Directory& of) : of_(of) {}
  [[nodiscard]] std::vector<Directory::Instance> instances() override {
    ++looks;
    return of_.instances("ads");
  }
  [[nodiscard]] std::string why_none() const override { return "none is there"; }
  [[nodiscard]] Transport transport() const noexcept override { return {}; }

  std::atomic<int> looks{0};

 private:
  const Directory& of_;
};

TEST_F(Calls, FindAReplicaThatComesWhileAllWaitForAnother) {
  auto finder = std::make_unique<CountsLooks>(*directory);
  const std::atomic<int>& looks = finder->looks;
  peer.finder = std::move(finder);
  Ads one(*directory, 'a');
  reach(1);
  one.seen.gate.close();
  std::vector<Future<Word>> calls;
  for (unsigned call = 0; call <= kMostGated; ++call) calls.push_back(outside_gated({"x"}));
  ASSERT_TRUE(eventually([&] { return peer.figures.waiting == 1; }));
  // One look may be that of the calls, the others are of nobody but who waits.
  const int before = looks;
  ASSERT_TRUE(eventually([&] { return looks >= before + 2; }));
  Ads two(*directory, 'b');
  EXPECT_TRUE(eventually([&] { return two.seen.came > 0; }));
  one.seen.gate.open();
  for (Future<Word>& call : calls) EXPECT_EQ(end_of(std::move(call)), "x!");
}

/// One process, of an address that somebody may change.
class Announced final : public Finder {
 public:
  explicit Announced(Place at) : at_(std::move(at)) {}
  [[nodiscard]] std::vector<Directory::Instance> instances() override {
    const std::lock_guard lock(mutex_);
    return {{instance_of('a'), at_}};
  }
  [[nodiscard]] std::string why_none() const override { return "it is not announced"; }
  [[nodiscard]] Transport transport() const noexcept override { return {}; }
  void moves_to(Place place) {
    const std::lock_guard lock(mutex_);
    at_ = std::move(place);
  }

 private:
  std::mutex mutex_;
  Place at_;
};

TEST_F(Calls, GoToTheAddressThatAProcessHasNow) {
  auto announced = std::make_unique<Announced>(directory->publish("ads", instance_of('a')));
  Announced& place = *announced;
  peer.finder = std::move(announced);
  Ads before(*directory, 'a');
  reach(1);
  Ads after(*directory, 'b');
  place.moves_to(directory->publish("ads", instance_of('b')));
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(end_of(inside({"x"})), "x!");
    return after.seen.came > 0;
  }));
  const int came = before.seen.came;
  for (int call = 0; call < 10; ++call) EXPECT_EQ(end_of(inside({"x"})), "x!");
  EXPECT_EQ(before.seen.came, came);
}

// As while processes are replaced by newer ones, which offer more.
TEST_F(Calls, WaitForAReplicaThatMayOfferWhatAnotherOneDoesNot) {
  const Ads older(*directory, 'a', 7);
  Descriptor silent = directory->publish("ads", instance_of('b')).listen();
  binary.start();
  EXPECT_EQ(pool.resize(1, testing::far_from_now() - now_ns()), 1U);
  const Future<Word> not_reached = inside({"x"});
  ASSERT_TRUE(eventually([&] { return peer.figures.open == 1; }));
  for (int call = 0; call < 10; ++call) EXPECT_EQ(end_of(outside_gated({"y"})), "y!");
  EXPECT_FALSE(not_reached.ready());
  Future<Word> reached = inside({"z"});
  directory->remove("ads", instance_of('b'));
  const Ads newer(*directory, 'b');
  silent = {};
  EXPECT_EQ(end_of(std::move(reached)), "z!");
  EXPECT_TRUE(eventually([&] { return not_reached.ready(); }));
}

/// Those of a directory, but for one that somebody may take out.
class TakesOut final : public Finder {
 public:
  explicit TakesOut(const Directory& of) : of_(of) {}
  [[nodiscard]] std::vector<Directory::Instance> instances() override {
    std::vector<Directory::Instance> all = of_.instances("ads");
    std::erase_if(all, [this](const Directory::Instance& each) { return each.id == *out.load(); });
    return all;
  }
  [[nodiscard]] bool lists_all() const noexcept override { return true; }
  [[nodiscard]] std::string why_none() const override { return "it is not listed"; }
  [[nodiscard]] Transport transport() const noexcept override { return {}; }

  const std::string none;
  std::atomic<const std::string*> out{&none};

 private:
  const Directory& of_;
};

TEST_F(Calls, ComeNoMoreToOneThatIsTakenOutOfAList) {
  auto list = std::make_unique<TakesOut>(*directory);
  TakesOut& listed = *list;
  peer.finder = std::move(list);
  Ads one(*directory, 'a');
  Ads two(*directory, 'b');
  reach(2);
  one.seen.gate.close();
  std::vector<Future<Word>> slow;
  while (one.seen.times("slow") == 0) {
    slow.push_back(outside_gated({"slow"}));
    EXPECT_EQ(end_of(inside({"x"})), "x!");
  }
  const std::string taken = instance_of('a');
  listed.out = &taken;
  one.seen.gate.open();
  for (Future<Word>& call : slow) EXPECT_EQ(end_of(std::move(call)), "slow!");
  ASSERT_TRUE(eventually([&] {
    EXPECT_EQ(end_of(inside({"x"})), "x!");
    return peer.figures.open == 1;
  }));
  const int came_there = one.seen.came;
  for (int call = 0; call < 40; ++call) EXPECT_EQ(end_of(inside({"x"})), "x!");
  EXPECT_EQ(one.seen.came, came_there);
  listed.out = &listed.none;
  EXPECT_TRUE(eventually([&] {
    const int came = one.seen.came;
    EXPECT_EQ(end_of(inside({"x"})), "x!");
    return one.seen.came > came;
  }));
}

// A thread that leaves its pool drains its links, and each stays while it has calls.
TEST_F(Calls, GoToAThreadThatStaysWhereOneLeaves) {
  Ads one(*directory, 'a');
  reach(1);
  // The first link is the first thread's, the next one the other's.
  one.break_off();
  ASSERT_TRUE(eventually([&] {
    static_cast<void>(end_of(inside({"x"})));
    return peer.figures.broken == 1 && peer.figures.open == 1;
  }));
  one.seen.gate.close();
  Future<Word> slow = outside_gated({"slow"});
  ASSERT_TRUE(eventually([&] { return one.seen.times("slow") == 1; }));
  one.resize(1);
  std::vector<Future<Word>> others;
  EXPECT_TRUE(eventually([&] {
    if (others.empty() || others.back().ready()) others.push_back(inside({"y"}));
    return peer.figures.open == 2 && others.back().ready();
  }));
  EXPECT_FALSE(slow.ready());
  one.seen.gate.open();
  EXPECT_EQ(end_of(std::move(slow)), "slow!");
  for (Future<Word>& other : others) EXPECT_EQ(end_of(std::move(other)), "y!");
}

TEST_F(Calls, Fault32EndOnceWhenTheirLinkBreaks) {
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

TEST_F(Calls, AreSentAgainInTheOrderInWhichTheyWereMade) {
  Ads one(*directory, 'a');
  gated_record.idempotent = true;
  reach(1);
  one.seen.gate.close();
  const unsigned kCalls = 2 * kMostGated;
  std::vector<std::string> words;
  std::vector<Future<Word>> calls;
  for (unsigned call = 0; call < kCalls; ++call) {
    words.push_back(std::to_string(call));
    calls.push_back(outside_gated({words.back()}));
  }
  ASSERT_TRUE(eventually([&] { return peer.figures.waiting == kMostGated; }));
  one.break_off();
  ASSERT_TRUE(eventually([&] { return peer.figures.broken != 0; }));
  one.seen.gate.open();
  for (Future<Word>& call : calls) EXPECT_TRUE(end_of(std::move(call)).ends_with("!"));
  // The last times: some may have run before that, as the other thread there breaks its links
  // later.
  const std::lock_guard lock(one.seen.mutex);
  std::vector<std::string> order;
  for (const std::string& word : one.seen.texts) {
    std::erase(order, word);
    order.push_back(word);
  }
  std::erase_if(order, [&](const std::string& word) {
    return std::find(words.begin(), words.end(), word) == words.end();
  });
  EXPECT_EQ(order, words);
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

/// A word that comes to `there`, where both are reached.
std::string word_of(Ads& there, const Stub<Word, Word>& ask) {
  for (int number = 0;; ++number) {
    std::string word = "word " + std::to_string(number);
    EXPECT_EQ(end_of(ask({word})), word + "!");
    if (there.seen.times(word) != 0) return word;
  }
}

/// A divided service: each word has its process.
class DividedCalls : public Calls {
 public:
  DividedCalls() {
    echo_record.type = &kRemoteType<Word, Word, &Word::text>;
    gated_record.type = echo_record.type;
  }
};

TEST_F(DividedCalls, ComeToOneProcessForEachValue) {
  Ads one(*directory, 'a');
  auto two = std::make_unique<Ads>(*directory, 'b');
  reach(2);
  constexpr int kWords = 100;
  const auto word = [](int number) { return std::to_string(number); };
  for (int round = 0; round < 3; ++round) {
    for (int number = 0; number < kWords; ++number)
      EXPECT_EQ(end_of(inside({word(number)})), word(number) + "!");
  }
  std::vector<std::string> of_one;
  for (int number = 0; number < kWords; ++number) {
    const int times = one.seen.times(word(number));
    EXPECT_EQ(times + two->seen.times(word(number)), 3);
    EXPECT_TRUE(times == 0 || times == 3) << word(number) << " came to both";
    if (times == 3) of_one.push_back(word(number));
  }
  // Half of them each: beyond these bounds once in a million of drawings of the names.
  EXPECT_GT(of_one.size(), 25U);
  EXPECT_LT(of_one.size(), 75U);
  // Only what the other one had moves when it is gone.
  two.reset();
  for (int number = 0; number < kWords; ++number) (void)end_of(inside({word(number)}));
  for (const std::string& each : of_one) EXPECT_EQ(one.seen.times(each), 4);
}

// While its links open nobody has come or gone, and no value moves.
TEST_F(DividedCalls, ComeToTheirProcessFromTheFirstOneOn) {
  Ads one(*directory, 'a');
  Ads two(*directory, 'b');
  binary.start();
  EXPECT_EQ(pool.resize(1, testing::far_from_now() - now_ns()), 1U);
  constexpr int kWords = 40;
  std::vector<Future<Word>> first;
  for (int number = 0; number < kWords; ++number) first.push_back(inside({std::to_string(number)}));
  for (Future<Word>& each : first) (void)end_of(std::move(each));
  for (int number = 0; number < kWords; ++number) (void)end_of(inside({std::to_string(number)}));
  for (int number = 0; number < kWords; ++number)
    EXPECT_NE(one.seen.times(std::to_string(number)), 1) << number << " came to both";
}

TEST_F(DividedCalls, DoNotWaitBehindThoseOfAnotherProcess) {
  Ads one(*directory, 'a');
  Ads two(*directory, 'b');
  reach(2);
  const std::string slow = word_of(one, outside_gated);
  const std::string swift = word_of(two, outside_gated);
  one.seen.gate.close();
  // More than it takes at once.
  std::vector<Future<Word>> waiting;
  for (int call = 0; call < 40; ++call) waiting.push_back(outside_gated({slow}));
  ASSERT_TRUE(eventually([&] { return peer.figures.waiting != 0; }));
  for (int call = 0; call < 10; ++call) EXPECT_EQ(end_of(outside_gated({swift})), swift + "!");
  EXPECT_NE(peer.figures.waiting, 0U);
  one.seen.gate.open();
  for (Future<Word>& each : waiting) EXPECT_EQ(end_of(std::move(each)), slow + "!");
}

/// Two processes, one of which is ill, and one thread that calls them.
class CallsOfTheIll : public Calls {
 public:
  CallsOfTheIll() { peer.first_rest = 3600 * kSecond; }
  ~CallsOfTheIll() override { binary.stop(); }

 protected:
  void reach_both() {
    reach(2);
    one.seen.ill = true;
  }
  /// Calls one after the other, until so many of them have failed.
  void fail(int times) {
    int failed = 0;
    for (int call = 0; call < 10'000 && failed < times; ++call) failed += failed_of(1);
    EXPECT_EQ(failed, times);
  }
  /// How many of so many calls fail.
  int failed_of(int times) {
    int failed = 0;
    for (int call = 0; call < times; ++call) failed += end_of(inside({"x"})) == "x!" ? 0 : 1;
    return failed;
  }

  Ads one{*directory, 'a'};
  std::unique_ptr<Ads> two = std::make_unique<Ads>(*directory, 'b');
};

TEST_F(CallsOfTheIll, GoToOthersAfterFiveFailures) {
  reach_both();
  fail(5);
  EXPECT_EQ(failed_of(100), 0);
}

TEST_F(CallsOfTheIll, GoThereWhereNoOtherOneIs) {
  reach_both();
  fail(5);
  two.reset();
  EXPECT_EQ(end_of(inside({"x"})), "internal: ill");
  one.seen.ill = false;
  EXPECT_EQ(end_of(inside({"x"})), "x!");
  // It rests no more, also beside another one.
  Ads three(*directory, 'c');
  EXPECT_TRUE(eventually([&] { return failed_of(1) == 0 && three.seen.came > 0; }));
  const int came = one.seen.came;
  EXPECT_TRUE(eventually([&] { return failed_of(1) == 0 && one.seen.came > came; }));
}

TEST_F(CallsOfTheIll, GoThereAgainAfterARest) {
  peer.first_rest = 1;
  reach_both();
  fail(20);
  one.seen.ill = false;
  const int came = one.seen.came;
  EXPECT_TRUE(eventually([&] { return failed_of(1) == 0 && one.seen.came > came; }));
}

// Four in a row at most.
TEST_F(CallsOfTheIll, AreToldFromThoseThatAreWrongThemselves) {
  reach_both();
  fail(4);
  one.seen.ill = false;
  EXPECT_TRUE(eventually([&] {
    return end_of(inside({"fail"})).starts_with("not_found") && one.seen.times("fail") > 0;
  }));
  one.seen.ill = true;
  fail(4);
  one.seen.ill = false;
  const int came = one.seen.came;
  for (int call = 0; call < 100; ++call) (void)end_of(inside({"fail"}));
  EXPECT_TRUE(eventually([&] { return failed_of(1) == 0 && one.seen.came > came; }));
}

TEST_F(CallsOfTheIll, GoToOthersWhereTheyEndTooLate) {
  gated_service->deadline_ns = kSecond / 100;
  reach(2);
  // Where the machine is busy both are late, and both rest: until those of the next round.
  EXPECT_TRUE(eventually([&] {
    one.seen.gate.close();
    for (int call = 0; call < 20; ++call) (void)end_of(outside_gated({"late"}));
    const int came = one.seen.came;
    EXPECT_EQ(failed_of(30), 0);
    const bool rested = one.seen.came == came;
    one.seen.gate.open();
    return rested;
  }));
}

}  // namespace
}  // namespace penstock::net::remote_test
