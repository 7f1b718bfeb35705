// Calls of quick plain handlers, over real sockets, from a caller that says to the byte what comes
// together.
#include "penstock/net/remote/door/rows.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "penstock/net/remote/calls/stage_type.hpp"
#include "support/calls_between.hpp"
#include "support/two_links.hpp"

namespace penstock::net::rows_test {
namespace {

using remote_test::instance_of;
using remote_test::kPatient;
using remote_test::Word;
using testing::eventually;
using testing::Gate;
using testing::pool_settings;
using testing::SmallBinary;
using testing::two_links::End;
using testing::two_links::hello_of;
using testing::two_links::self_of;
using testing::two_links::TestCall;
using testing::two_links::TestRow;

constexpr std::uint32_t kHour = 3'600'000'000U;  // in microseconds
constexpr Nanos kNanosOfMicro = 1'000;

/// A request that a handler saw.
struct Ran {
  std::string text;
  bool has_frame = false;
  Nanos deadline_ns = 0;
};

/// What the handlers saw, all of them.
struct Seen {
  void note(const std::string& text) {
    const std::lock_guard lock(mutex);
    ran.push_back({text, call::current_activation()->cause.call() != nullptr,
                   penstock::context().deadline_ns});
  }
  [[nodiscard]] std::vector<Ran> all() {
    const std::lock_guard lock(mutex);
    return ran;
  }
  void forget() {
    const std::lock_guard lock(mutex);
    ran.clear();
  }

  Gate gate;
  std::atomic<int> locals_ended{0};
  std::mutex mutex;
  std::vector<Ran> ran;
};

/// Travels with a request, and says when it ends.
struct Counting {
  explicit Counting(Seen* its_seen = nullptr) : seen(its_seen) {}
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
  ~Counting() {
    if (seen != nullptr) ++seen->locals_ended;
  }
  Seen* seen;
  int calls = 0;
};

struct Echo : Handler {
  using request_type = Word;
  using response_type = Word;
  Seen* shared = nullptr;

  Word handle(const Word& request) const {
    shared->note(request.text);
    if (request.text == "fail") throw Error(ErrorCode::not_found, "no such word");
    if (request.text == "gate") shared->gate.pass();
    if (request.text == "large") return {std::string(9000, 'x')};
    if (request.text == "local") {
      auto& local = context().local<Counting>();
      local.seen = shared;
      return {std::to_string(++local.calls)};
    }
    return {request.text + "!"};
  }
};

/// Ends the event whose word is "end".
struct Looks : Handler {
  using request_type = Word;
  using response_type = void;
  Seen* shared = nullptr;
  Verdict handle(const Word& word) const {
    shared->note(word.text);
    return keep_if(word.text != "end");
  }
};
struct Changes : Handler {
  using request_type = Word;
  using response_type = void;
  Seen* shared = nullptr;
  Verdict handle(Word& word) const {
    shared->note(word.text);
    word.text += "?";
    return keep_if(word.text != "end?");
  }
};
struct Gives : Handler {
  using request_type = Word;
  using response_type = Word;
  Seen* shared = nullptr;
  std::optional<Word> handle(const Word& word) const {
    shared->note(word.text);
    if (word.text == "end") return std::nullopt;
    return Word{word.text + "!"};
  }
};
/// Takes what it gets, and gives nothing.
struct Takes : Handler {
  using request_type = Word;
  using response_type = void;
  Seen* shared = nullptr;
  void handle(Word&& word) const {
    const Word own = std::move(word);
    shared->note(own.text);
  }
};

enum Outlet : std::uint8_t { kEcho, kLooks, kChanges, kGives, kTakes };

std::string bytes_of(const std::string& text) {
  std::string bytes;
  codec::append(Word{text}, bytes);
  return bytes;
}
/// As TestCall says it.
std::string answer_of(const std::string& text) { return "answer: " + bytes_of(text); }

/// A process whose handlers are quick, on one thread.
class Quick {
 public:
  explicit Quick(const Directory& directory)
      : directory_(directory), pool_(binary_.pool(pool_settings("ads", 1, 4096))) {
    offer<Echo>("Ads/Echo", kRemoteType<Word, Word>);
    offer<Looks>("Ads/Looks", kStageType<StageGives::event, Looks>);
    offer<Changes>("Ads/Changes", kStageType<StageGives::event, Changes>);
    offer<Gives>("Ads/Gives", kStageType<StageGives::response, Gives>);
    offer<Takes>("Ads/Takes", kStageType<StageGives::response, Takes>);
    wire::Hello hello = remote_test::hello_of("ads", instance_);
    for (const Offer& offer : offers_) {
      const auto number = static_cast<std::uint16_t>(hello.services.size());
      hello.services.push_back({number, std::string(offer.site.callee->name.str()), 1, 2});
    }
    self_ = self_of(std::move(hello), {});
  }
  Quick(const Quick&) = delete;
  Quick& operator=(const Quick&) = delete;
  ~Quick() {
    seen.gate.open();
    drain();
    binary_.stop();
  }

  void start() {
    binary_.start();
    door_.open(directory_.publish("ads", instance_));
  }
  void drain() {
    directory_.remove("ads", instance_);
    EXPECT_TRUE(door_.drain(testing::far_from_now()));
  }
  [[nodiscard]] exec::Pool& pool() { return pool_; }
  [[nodiscard]] metrics::Registry& registry() { return binary_.registry(); }
  [[nodiscard]] const Offer& offer(std::size_t number = kEcho) const { return offers_[number]; }
  [[nodiscard]] const call::Service& service() const { return *offers_[kEcho].site.callee; }
  [[nodiscard]] const call::Implementation& implementation() const {
    return *service().implementations.front();
  }
  [[nodiscard]] unsigned guests() const { return door_.guests(); }
  /// Nothing more is sampled, and no sample of a busy machine, or of a handler that stood before
  /// the gate, makes it be slow.
  void stay_quick() {
    registry().set_sampling(0);
    for (const Offer& offer : offers_) {
      for (int each = 0; each < 100; ++each)
        offer.site.callee->implementations.front()->pace.note(0);
    }
  }
  /// Errors of that code.
  [[nodiscard]] std::uint64_t errors(ErrorCode code) {
    return registry().count(implementation().errors + static_cast<std::uint32_t>(code));
  }
  [[nodiscard]] std::uint64_t ended(call::Ending how) {
    return registry().count(implementation().counter_of(how));
  }
  /// Samples of a timer.
  [[nodiscard]] std::uint64_t samples(std::uint32_t timer) {
    metrics::HistogramSum sum;
    registry().collect(timer, sum);
    std::uint64_t count = 0;
    for (const std::uint64_t in_bucket : sum.buckets) count += in_bucket;
    return count;
  }

  Seen seen;

 private:
  template <class H>
  void offer(const std::string& name, const RemoteType& type) {
    call::Service& service = binary_.service<H>(name, Kind::simple, pool_);
    service.implementations.front()->give_extras().shared = &seen;
    Offer& offer = offers_.emplace_back();
    offer.type = &type;
    offer.site.callee = &service;
    call::enroll(offer.site, binary_.registry());
  }

  const Directory& directory_;
  const std::string instance_ = instance_of('a');
  Link::Self self_;
  std::deque<Offer> offers_;
  SmallBinary binary_;
  exec::Pool& pool_;
  Door door_{self_, offers_, pool_, binary_.take_slot(), kPatient};
};

const Link::Self kCaller = self_of(hello_of("front", {}), {{"Ads/Echo", 1, 2},
                                                           {"Ads/Looks", 1, 2},
                                                           {"Ads/Changes", 1, 2},
                                                           {"Ads/Gives", 1, 2},
                                                           {"Ads/Takes", 1, 2}});

/// A link to it whose bytes leave when the test says so.
class Caller {
 public:
  explicit Caller(const Directory& directory)
      : socket_(directory.instances("ads").front().place.connect()) {
    end_.services = 0;
    EXPECT_TRUE(until([this] {
      return end_.link.state() == Link::State::open && end_.link.outlet(kTakes).credits != 0;
    }));
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  ~Caller() { close(); }

  void say(TestCall& call, std::size_t outlet = kEcho) {
    ASSERT_EQ(end_.link.send(call, outlet, now_ns()), Link::Sent::yes);
  }
  /// In one frame.
  void say(TestRow& row, std::size_t outlet = kEcho) {
    std::uint64_t places = row.from(0);
    ASSERT_EQ(end_.link.send(row, places, outlet), Link::Sent::yes);
  }
  /// What was said so far leaves at once, if it is no more than a socket takes.
  void send_all() {
    Outgoing& outgoing = end_.link.outgoing();
    while (!outgoing.bytes().empty()) {
      const ssize_t count = ::send(socket_.number(), outgoing.bytes().data(),
                                   outgoing.bytes().size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count <= 0) return;
      outgoing.take(static_cast<std::size_t>(count));
    }
  }
  /// Says what there is to say and hears what comes, until the condition holds.
  template <class Condition>
  [[nodiscard]] bool until(Condition condition) {
    return eventually([&] {
      send_all();
      hear();
      return condition();
    });
  }
  [[nodiscard]] bool until_answered(const std::deque<TestCall>& calls) {
    return until([&] {
      return std::all_of(calls.begin(), calls.end(),
                         [](const TestCall& call) { return call.ends != 0; });
    });
  }
  [[nodiscard]] bool until_answered(const TestRow& row) {
    return until([&] {
      return std::none_of(row.ends.begin(), row.ends.end(),
                          [](const std::string& end) { return end.empty(); });
    });
  }
  /// How it ends.
  [[nodiscard]] std::string ask(const std::string& text, std::size_t outlet = kEcho) {
    TestCall call(bytes_of(text));
    say(call, outlet);
    EXPECT_TRUE(until([&] { return call.ends != 0; }));
    return call.end;
  }
  void close() {
    end_.link.close("the test is over");
    socket_.close();
  }
  [[nodiscard]] End& end() { return end_; }

 private:
  void hear() {
    std::array<char, 4096> some{};
    ssize_t count = 0;
    while ((count = recv(socket_.number(), some.data(), some.size(), MSG_DONTWAIT)) > 0) {
      came_.append(some.data(), static_cast<std::size_t>(count));
      came_.erase(0, end_.link.receive(came_, now_ns()));
    }
  }

  Descriptor socket_;
  End end_{kCaller, now_ns()};
  std::string came_;
};

std::shared_ptr<const Baggage> some_baggage() {
  return std::make_shared<const Baggage>(Baggage{{"who", "me"}});
}

class QuickCalls : public ::testing::Test {
 protected:
  QuickCalls() {
    char name[] = "/tmp/penstock-net-XXXXXX";
    folder_ = mkdtemp(name);
    directory.emplace(folder_ + "/run");
    ads.emplace(*directory);
  }
  ~QuickCalls() override {
    caller.reset();
    ads.reset();
    std::filesystem::remove_all(folder_);
  }

  void connect() {
    ads->start();
    caller.emplace(*directory);
  }
  /// Until each handler is known to be quick, which it stays.
  void warm_up() {
    // No sample of a busy machine says otherwise.
    ads->stay_quick();
    for (std::size_t outlet = kEcho; outlet <= kTakes; ++outlet) {
      EXPECT_TRUE(eventually([&] {
        static_cast<void>(caller->ask("warm", outlet));
        return !ads->seen.all().back().has_frame;
      }));
    }
    ads->stay_quick();
    ads->seen.forget();
  }
  void connect_and_warm_up() {
    connect();
    warm_up();
  }
  /// Those that `texts` says, in one piece.
  void say(std::deque<TestCall>& calls, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) caller->say(calls.emplace_back(bytes_of(text)));
    caller->send_all();
  }
  /// Several hundred calls, numbered, of which some need a frame, came in their order.
  void expect_order();

  std::string folder_;
  std::optional<Directory> directory;
  std::optional<Quick> ads;
  std::optional<Caller> caller;
};

TEST_F(QuickCalls, RunWithoutAFrameAndCountAsAskedAndAsDone) {
  connect_and_warm_up();
  const std::uint64_t asked = ads->service().sent_count();
  const std::uint64_t done = ads->service().done_count();
  std::deque<TestCall> calls;
  say(calls, {"a", "b", "c"});
  EXPECT_TRUE(caller->until_answered(calls));
  EXPECT_EQ(calls[0].end, answer_of("a!"));
  EXPECT_EQ(calls[1].end, answer_of("b!"));
  EXPECT_EQ(calls[2].end, answer_of("c!"));
  const std::vector<Ran> ran = ads->seen.all();
  ASSERT_EQ(ran.size(), 3U);
  for (const Ran& each : ran) EXPECT_FALSE(each.has_frame) << each.text;
  EXPECT_EQ(ads->service().sent_count(), asked + 3);
  EXPECT_EQ(ads->service().done_count(), done + 3);
}

std::vector<std::string> bytes_of_all(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(bytes_of(text));
  return all;
}

TEST_F(QuickCalls, OfOneFrameRunWithoutAFrameEach) {
  connect_and_warm_up();
  const std::uint64_t asked = ads->service().sent_count();
  const std::uint64_t done = ads->service().done_count();
  const std::uint64_t failed = ads->errors(ErrorCode::not_found);
  TestRow row(bytes_of_all({"a", "fail", "b", "large", "c"}));
  row.requests.push_back("\x0a\x05hi");
  row.ends.emplace_back();
  caller->say(row);
  EXPECT_TRUE(caller->until_answered(row));
  EXPECT_EQ(row.ends, (std::vector<std::string>{
                          answer_of("a!"), "error 5: no such word", answer_of("b!"),
                          "error 8: the answer of 9003 bytes is larger than its caller takes",
                          answer_of("c!"), "error 3: the request of Ads/Echo is malformed"}));
  for (const Ran& each : ads->seen.all()) EXPECT_FALSE(each.has_frame) << each.text;
  EXPECT_EQ(ads->service().sent_count(), asked + 6);
  EXPECT_EQ(ads->service().done_count(), done + 6);
  EXPECT_EQ(ads->errors(ErrorCode::not_found), failed + 1);
  EXPECT_TRUE(caller->end().link.is_quiet());
}

TEST_F(QuickCalls, OfOneFrameHaveFramesWhileNothingIsKnownOfTheirHandler) {
  ads->registry().set_sampling(0);
  connect();
  TestRow row(bytes_of_all(std::vector<std::string>(64, "x")));
  caller->say(row);
  EXPECT_TRUE(caller->until_answered(row));
  const std::vector<Ran> ran = ads->seen.all();
  EXPECT_EQ(ran.size(), 64U);
  for (const Ran& each : ran) EXPECT_TRUE(each.has_frame);
}

TEST_F(QuickCalls, OfOneFrameAreAnsweredInSeveralWhereTheyAreLarge) {
  connect_and_warm_up();
  std::vector<std::string> words;
  for (char letter = 'a'; letter < 'm'; ++letter) words.emplace_back(1000, letter);
  for (int round = 0; round < 3; ++round) {
    TestRow row(bytes_of_all({words.begin(), words.begin() + 8}));
    caller->say(row);
    EXPECT_TRUE(caller->until_answered(row));
    for (std::size_t at = 0; at < row.ends.size(); ++at)
      EXPECT_EQ(row.ends[at], answer_of(words[at] + "!"));
  }
  EXPECT_EQ(ads->seen.all().size(), 24U);
}

// Some of them need a frame, as they are large, or come between as ones that carry more.
TEST_F(QuickCalls, OfOneFrameKeepTheirOrder) {
  connect_and_warm_up();
  std::deque<TestRow> rows;
  std::deque<TestCall> calls;
  int number = 0;
  while (number < 700) {
    std::vector<std::string> words;
    for (int each = 0; each < 1 + number % 40; ++each, ++number) {
      const std::string more(number % 11 == 5 ? 1100U : 0U, ' ');
      words.push_back(std::to_string(number) + more);
      if (words.size() > 5 && number % 11 == 5) break;
    }
    number = std::stoi(words.back()) + 1;
    caller->say(rows.emplace_back(bytes_of_all(words)));
    TestCall& call = calls.emplace_back(bytes_of(std::to_string(number++)));
    call.sent_with.baggage = some_baggage();
    caller->say(call);
  }
  EXPECT_TRUE(caller->until_answered(calls));
  for (const TestRow& row : rows) EXPECT_TRUE(caller->until_answered(row));
  const std::vector<Ran> ran = ads->seen.all();
  ASSERT_EQ(ran.size(), static_cast<std::size_t>(number));
  for (std::size_t each = 0; each < ran.size(); ++each) ASSERT_EQ(std::stoul(ran[each].text), each);
}

TEST_F(QuickCalls, OfOneFrameAnswerAsStagesWhatBecomesOfTheEvent) {
  connect_and_warm_up();
  for (const auto outlet : {kLooks, kChanges, kGives, kTakes}) {
    const std::vector<std::string> words{"a", "end", "b"};
    TestRow row(bytes_of_all(words));
    caller->say(row, outlet);
    EXPECT_TRUE(caller->until_answered(row));
    for (std::size_t at = 0; at < words.size(); ++at)
      EXPECT_EQ(row.ends[at], caller->ask(words[at], outlet)) << int{outlet} << words[at];
  }
}

TEST_F(QuickCalls, OfOneFrameAreSampledEachByItself) {
  connect_and_warm_up();
  ads->registry().set_sampling(128);
  metrics::HistogramSum before;
  ads->registry().collect(ads->implementation().timers.run, before);
  TestRow row(bytes_of_all(std::vector<std::string>(20, "x")));
  caller->say(row);
  EXPECT_TRUE(caller->until_answered(row));
  metrics::HistogramSum after;
  ads->registry().collect(ads->implementation().timers.run, after);
  const auto all = [](const metrics::HistogramSum& sum) {
    return std::accumulate(sum.buckets.begin(), sum.buckets.end(), std::uint64_t{0});
  };
  EXPECT_GE(all(after) - all(before), 19U);  // the first may have been drawn before
}

TEST_F(QuickCalls, HaveFramesWhileNothingIsKnownOfTheirHandler) {
  ads->registry().set_sampling(0);
  connect();
  std::deque<TestCall> calls;
  say(calls, std::vector<std::string>(300, "x"));
  EXPECT_TRUE(caller->until_answered(calls));
  const std::vector<Ran> ran = ads->seen.all();
  EXPECT_EQ(ran.size(), 300U);
  for (const Ran& each : ran) EXPECT_TRUE(each.has_frame);
}

TEST_F(QuickCalls, GetTheErrorOfTheService) {
  connect_and_warm_up();
  const std::uint64_t failed = ads->errors(ErrorCode::not_found);
  const std::uint64_t done = ads->service().done_count();
  const std::uint64_t failed_there = ads->registry().count(ads->offer().site.errors);
  std::deque<TestCall> calls;
  say(calls, {"a", "fail", "b"});
  EXPECT_TRUE(caller->until_answered(calls));
  EXPECT_EQ(calls[0].end, answer_of("a!"));
  EXPECT_EQ(calls[1].end, "error 5: no such word");
  EXPECT_EQ(calls[2].end, answer_of("b!"));
  EXPECT_FALSE(ads->seen.all().at(1).has_frame);
  EXPECT_EQ(ads->errors(ErrorCode::not_found), failed + 1);
  EXPECT_EQ(ads->registry().count(ads->offer().site.errors), failed_there + 1);
  EXPECT_EQ(ads->service().done_count(), done + 3);
}

void QuickCalls::expect_order() {
  std::deque<TestCall> calls;
  for (int number = 0; number < 700; ++number) {
    std::string text = std::to_string(number);
    const bool is_large = number % 11 == 5;
    if (is_large) text.append(1100, ' ');
    TestCall& call = calls.emplace_back(bytes_of(text));
    if (number % 7 == 3) call.sent_with.baggage = some_baggage();
    caller->say(call);
  }
  EXPECT_TRUE(caller->until_answered(calls));
  const std::vector<Ran> ran = ads->seen.all();
  ASSERT_EQ(ran.size(), calls.size());
  for (int number = 0; number < 700; ++number) {
    ASSERT_EQ(std::stoi(ran[static_cast<std::size_t>(number)].text), number);
  }
}

TEST_F(QuickCalls, AreNotOvertakenByThoseThatNeedAFrameNorOvertakeThem) {
  connect_and_warm_up();
  expect_order();
  const std::vector<Ran> ran = ads->seen.all();
  for (std::size_t number = 0; number < ran.size(); ++number) {
    EXPECT_EQ(ran[number].has_frame, number % 7 == 3 || number % 11 == 5) << number;
  }
}

// Calls with frames wait in another queue there.
TEST_F(QuickCalls, KeepTheirOrderWhereOthersOfThePoolBlock) {
  ads->pool().expect_blocking();
  connect();
  ads->stay_quick();
  expect_order();
}

TEST_F(QuickCalls, HaveTheirDeadline) {
  connect_and_warm_up();
  const Nanos before = now_ns();
  std::deque<TestCall> calls;
  calls.emplace_back(bytes_of("with")).sent_with.left_us = kHour;
  calls.emplace_back(bytes_of("without"));
  for (TestCall& call : calls) caller->say(call);
  EXPECT_TRUE(caller->until_answered(calls));
  const std::vector<Ran> ran = ads->seen.all();
  ASSERT_EQ(ran.size(), 2U);
  EXPECT_FALSE(ran[0].has_frame || ran[1].has_frame);
  EXPECT_GE(ran[0].deadline_ns, before + kHour * kNanosOfMicro);
  EXPECT_LE(ran[0].deadline_ns, now_ns() + kHour * kNanosOfMicro);
  EXPECT_EQ(ran[1].deadline_ns, 0);
}

// Also one that comes when others have waited for long.
TEST_F(QuickCalls, HaveTheirDeadlineFromWhenTheyCame) {
  connect_and_warm_up();
  ads->seen.gate.close();
  std::deque<TestCall> calls;
  TestCall& gate = calls.emplace_back(bytes_of("gate"));
  gate.sent_with.baggage = some_baggage();
  caller->say(gate);
  // More than a worker runs before it looks whether something has come.
  for (int each = 0; each < 200; ++each) {
    TestCall& framed = calls.emplace_back(bytes_of("framed"));
    framed.sent_with.baggage = some_baggage();
    caller->say(framed);
  }
  say(calls, {"waits"});
  ads->seen.gate.wait_for_one();
  const Nanos before = now_ns();
  TestCall& late = calls.emplace_back(bytes_of("late"));
  late.sent_with.left_us = kHour;
  caller->say(late);
  caller->send_all();
  // Behind the worker's next look.
  EXPECT_TRUE(eventually([&] { return now_ns() > before + 1'000'000; }));
  ads->seen.gate.open();
  EXPECT_TRUE(caller->until_answered(calls));
  const Ran last = ads->seen.all().back();
  EXPECT_EQ(last.text, "late");
  EXPECT_FALSE(last.has_frame);
  EXPECT_GE(last.deadline_ns, before + kHour * kNanosOfMicro);
}

TEST_F(QuickCalls, AreNotRunBeyondTheirDeadline) {
  connect_and_warm_up();
  ads->registry().set_sampling(128);
  EXPECT_EQ(caller->ask("x"), answer_of("x!"));
  ads->seen.forget();
  ads->seen.gate.close();
  const std::uint64_t expired = ads->ended(call::Ending::expired);
  const std::uint64_t runs = ads->samples(ads->implementation().timers.run);
  const std::uint64_t waits = ads->samples(ads->implementation().timers.wait);
  std::deque<TestCall> calls;
  calls.emplace_back(bytes_of("gate"));
  calls.emplace_back(bytes_of("late")).sent_with.left_us = 1;
  for (TestCall& call : calls) caller->say(call);
  caller->send_all();
  ads->seen.gate.wait_for_one();
  const Nanos came = now_ns();
  EXPECT_TRUE(eventually([&] { return now_ns() > came + kNanosOfMicro; }));
  ads->seen.gate.open();
  EXPECT_TRUE(caller->until_answered(calls));
  EXPECT_EQ(calls[0].end, answer_of("gate!"));
  EXPECT_EQ(calls[1].end, "error 4: call to Ads/Echo waited beyond its deadline");
  const std::vector<Ran> ran = ads->seen.all();
  ASSERT_EQ(ran.size(), 1U);
  EXPECT_FALSE(ran[0].has_frame);
  EXPECT_EQ(ads->ended(call::Ending::expired), expired + 1);
  // It says nothing about how long the handler runs.
  EXPECT_EQ(ads->samples(ads->implementation().timers.run), runs + 1);
  EXPECT_EQ(ads->samples(ads->implementation().timers.wait), waits + 2);
}

TEST_F(QuickCalls, EndWithWhatTheyLeftInTheirContext) {
  connect_and_warm_up();
  std::deque<TestCall> calls;
  say(calls, {"local", "local", "local"});
  EXPECT_TRUE(caller->until_answered(calls));
  for (const TestCall& call : calls) EXPECT_EQ(call.end, answer_of("1"));
  for (const Ran& each : ads->seen.all()) EXPECT_FALSE(each.has_frame);
  EXPECT_EQ(ads->seen.locals_ended, 3);
}

TEST_F(QuickCalls, AreAnsweredWhereTheyAreMalformed) {
  connect_and_warm_up();
  std::deque<TestCall> calls;
  caller->say(calls.emplace_back(bytes_of("a")));
  caller->say(calls.emplace_back("\x0a\x05hi"));
  caller->say(calls.emplace_back(bytes_of("b")));
  EXPECT_TRUE(caller->until_answered(calls));
  EXPECT_EQ(calls[0].end, answer_of("a!"));
  EXPECT_EQ(calls[1].end, "error 3: the request of Ads/Echo is malformed");
  EXPECT_EQ(calls[2].end, answer_of("b!"));
  EXPECT_EQ(ads->seen.all().size(), 2U);
  EXPECT_EQ(ads->service().sent_count(), ads->service().done_count());
}

TEST_F(QuickCalls, AreToldThatTheirAnswerIsTooLarge) {
  connect_and_warm_up();
  std::deque<TestCall> calls;
  say(calls, {"a", "large", "b"});
  EXPECT_TRUE(caller->until_answered(calls));
  EXPECT_EQ(calls[0].end, answer_of("a!"));
  EXPECT_EQ(calls[1].end, "error 8: the answer of 9003 bytes is larger than its caller takes");
  EXPECT_EQ(calls[2].end, answer_of("b!"));
  EXPECT_FALSE(ads->seen.all().at(1).has_frame);
}

TEST_F(QuickCalls, AreMoreThanThePoolLetsWaitWhereTheyAreAnswered) {
  connect_and_warm_up();
  for (int round = 0; round < 10; ++round) {
    std::deque<TestCall> calls;
    say(calls, std::vector<std::string>(700, "x"));
    EXPECT_TRUE(caller->until_answered(calls));
  }
  EXPECT_EQ(ads->seen.all().size(), 7000U);
  EXPECT_TRUE(caller->end().link.is_quiet());
}

TEST_F(QuickCalls, RunAlsoWhereNobodyWaitsForThemAnyMore) {
  connect_and_warm_up();
  ads->seen.gate.close();
  std::deque<TestCall> calls;
  say(calls, {"gate"});
  ads->seen.gate.wait_for_one();
  TestCall given_up(bytes_of("given up"));
  caller->say(given_up);
  caller->end().link.cancel(given_up);
  say(calls, {"next"});
  ads->seen.gate.open();
  EXPECT_TRUE(caller->until_answered(calls));
  EXPECT_EQ(calls[1].end, answer_of("next!"));
  EXPECT_EQ(given_up.ends, 0);
  EXPECT_EQ(ads->seen.all().at(1).text, "given up");
}

TEST_F(QuickCalls, AnswerAsStagesWhatTheyAnswerWithAFrame) {
  ads->registry().set_sampling(0);
  connect();
  std::vector<std::string> framed;
  for (const std::size_t outlet : {kLooks, kChanges, kGives, kTakes}) {
    for (const char* const text : {"go", "end", ""}) framed.push_back(caller->ask(text, outlet));
  }
  for (const Ran& each : ads->seen.all()) EXPECT_TRUE(each.has_frame);
  warm_up();
  std::vector<std::string> frameless;
  for (const std::size_t outlet : {kLooks, kChanges, kGives, kTakes}) {
    for (const char* const text : {"go", "end", ""}) frameless.push_back(caller->ask(text, outlet));
  }
  for (const Ran& each : ads->seen.all()) EXPECT_FALSE(each.has_frame) << each.text;
  EXPECT_EQ(frameless, framed);
}

TEST_F(QuickCalls, SayAsStagesWhatBecomesOfTheEvent) {
  connect_and_warm_up();
  const auto read = [this]<class Answer>(Answer answer, const char* text, std::size_t outlet) {
    const std::string end = caller->ask(text, outlet);
    EXPECT_TRUE(end.starts_with("answer: ")) << end;
    EXPECT_TRUE(codec::parse(std::string_view(end).substr(8), answer));
    return answer;
  };
  EXPECT_FALSE(read(Passed<Word>(), "go", kLooks).ended);
  EXPECT_TRUE(read(Passed<Word>(), "end", kLooks).ended);
  EXPECT_FALSE(read(Passed<Word>(), "go", kLooks).changed);
  EXPECT_EQ(read(Passed<Word>(), "go", kChanges).changed.value_or(Word{"none"}).text, "go?");
  EXPECT_TRUE(read(Passed<Word>(), "end", kChanges).ended);
  EXPECT_FALSE(read(Passed<Word>(), "end", kChanges).changed);
  EXPECT_EQ(read(Given<Word>(), "go", kGives).value.value_or(Word{"none"}).text, "go!");
  EXPECT_FALSE(read(Given<Word>(), "end", kGives).value);
  EXPECT_EQ(caller->ask("go", kTakes), "answer: ");
  for (const Ran& each : ads->seen.all()) EXPECT_FALSE(each.has_frame) << each.text;
}

TEST_F(QuickCalls, AreAnsweredByADoorThatDrains) {
  connect_and_warm_up();
  ads->seen.gate.close();
  std::deque<TestCall> calls;
  say(calls, {"gate", "a", "b"});
  ads->seen.gate.wait_for_one();
  // On its thread only once that is free again.
  std::thread drains([this] { ads->drain(); });
  // They cross what it says.
  say(calls, {"c", "d"});
  caller->end().link.drain();
  caller->send_all();
  ads->seen.gate.open();
  EXPECT_TRUE(caller->until_answered(calls));
  drains.join();
  EXPECT_EQ(calls[0].end, answer_of("gate!"));
  EXPECT_EQ(calls[2].end, answer_of("b!"));
  EXPECT_EQ(calls[4].end, answer_of("d!"));
  EXPECT_TRUE(eventually([&] { return ads->guests() == 0; }));
}

// Behind the job that takes away those of the links that closed before it.
TEST_F(QuickCalls, OutliveNoLinkThatIsGoneBeforeTheyRun) {
  connect_and_warm_up();
  std::deque<Caller> first;
  std::deque<Caller> others;
  for (int each = 0; each < 4; ++each) {
    first.emplace_back(*directory);
    others.emplace_back(*directory);
  }
  ads->seen.gate.close();
  std::deque<TestCall> calls;
  say(calls, {"gate"});
  ads->seen.gate.wait_for_one();
  for (Caller& each : first) each.close();
  for (Caller& each : others) {
    TestCall lost(bytes_of("lost"));
    each.say(lost);
    each.send_all();
    each.close();
    EXPECT_EQ(lost.end, "lost");
  }
  ads->seen.gate.open();
  EXPECT_TRUE(caller->until_answered(calls));
  EXPECT_TRUE(caller->until([&] { return ads->guests() == 1; }));
  EXPECT_EQ(caller->ask("x"), answer_of("x!"));
  EXPECT_EQ(ads->service().sent_count(), ads->service().done_count());
}

}  // namespace
}  // namespace penstock::net::rows_test
