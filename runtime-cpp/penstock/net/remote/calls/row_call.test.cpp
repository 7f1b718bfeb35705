// Stages that another binary runs, whose events go there and back together: two binaries in one
// process, over real sockets.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "penstock/app/binding.hpp"
#include "penstock/net/remote/calls/client.hpp"
#include "penstock/net/remote/door/door.hpp"
#include "support/calls_between.hpp"
#include "support/gate.hpp"
#include "support/one_flow.hpp"

namespace penstock::net::row_test {

struct Item {
  std::int64_t number = 0;
  std::string text;  // moves, and is to be destroyed once
};

}  // namespace penstock::net::row_test

namespace penstock::codec {

template <>
struct Message<net::row_test::Item> {
  using Item = net::row_test::Item;
  static std::size_t size(const Item& item) {
    return codec::size(1, item.number) + codec::size(2, item.text);
  }
  static void write(Writer& out, const Item& item) {
    codec::write(out, 2, item.text);
    codec::write(out, 1, item.number);
  }
  static bool read(Reader in, Item& item) {
    while (in.next()) {
      bool good = true;
      if (in.tag() == 1) {
        good = codec::read(in, item.number);
      } else if (in.tag() == 2) {
        good = codec::read(in, item.text);
      } else {
        in.skip();
      }
      if (!good) return false;
    }
    return true;
  }
};

}  // namespace penstock::codec

namespace penstock::net::row_test {
namespace {

using flow::Role;
using remote_test::hello_of;
using remote_test::instance_of;
using remote_test::kPatient;
using remote_test::self_of;
using testing::eventually;
using testing::Gate;
using testing::OneFlow;
using testing::pool_settings;

constexpr std::int64_t kFails = 13;
constexpr std::int64_t kEnds = 5;
constexpr std::int64_t kChanges = 7;
constexpr std::int64_t kStays = 1000;

/// What happens over there.
struct There {
  std::atomic<int> came{0};
  std::atomic<bool> stays{true};
};

/// A stage that goes on with its event.
struct Keep : Handler {
  using request_type = Item;
  using response_type = void;
  There* shared = nullptr;
  Verdict handle(Item& item) const {
    ++shared->came;
    if (item.number == kFails) throw Error(ErrorCode::not_found, "no such item");
    if (item.number == kChanges) item.text = "changed";
    return keep_if(item.number != kEnds);
  }
};
/// One that goes on with what it gives.
struct Double : Handler {
  using request_type = Item;
  using response_type = Item;
  There* shared = nullptr;
  std::optional<Item> handle(const Item& item) const {
    ++shared->came;
    if (item.number == kFails) throw Error(ErrorCode::not_found, "no such item");
    if (item.number == kEnds) return std::nullopt;
    return Item{item.number * 2, item.text + item.text};
  }
};
/// One that does not come to its end.
struct Stay : Handler {
  using request_type = Item;
  using response_type = void;
  There* shared = nullptr;
  Task<Verdict> handle(const Item& item) const {
    ++shared->came;
    if (item.number >= kStays && shared->stays) co_await sleep_for(std::chrono::hours(1));
    co_return Verdict::go_on;
  }
};
struct Sink : Handler {
  using request_type = Item;
  using response_type = void;
  There* shared = nullptr;
  void handle(const Item& /*item*/) const { ++shared->came; }
};

/// The binary that runs the stage.
template <class H, StageGives gives>
class Node {
 public:
  Node(const Directory& directory, char digit, There& there, std::uint32_t queue = 1024)
      : directory_(directory),
        instance_(instance_of(digit)),
        pool_(binary_.pool(pool_settings("node", 1, queue))) {
    service_ = &binary_.service<H>("Stage", Kind::simple, pool_);
    service_->implementations.front()->give_extras().shared = &there;
    Offer& offer = offers_.emplace_back();
    offer.type = &kStageType<gives, H>;
    offer.site.callee = service_;
    call::enroll(offer.site, binary_.registry());
    wire::Hello hello = hello_of("node", instance_);
    hello.largest_body = 8192;
    hello.services = {{0, "F.there", 1, 2}};
    self_ = self_of(std::move(hello), {});
    binary_.start();
    binary_.registry().set_sampling(128);
    door_.open(directory.publish("node", instance_));
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node() {
    directory_.remove("node", instance_);
    EXPECT_TRUE(door_.drain(testing::far_from_now()));
    binary_.stop();
  }
  [[nodiscard]] std::uint64_t done() const { return service_->done_count(); }
  void break_off() { door_.break_off(); }

 private:
  const Directory& directory_;
  const std::string instance_;
  Link::Self self_;
  std::deque<Offer> offers_;
  testing::SmallBinary binary_;
  exec::Pool& pool_;
  call::Service* service_ = nullptr;
  Door door_{self_, offers_, pool_, binary_.take_slot(), kPatient};
};

/// What came to the last stages.
class Seen {
 public:
  void add(const Item& item) {
    const std::lock_guard hold(mutex_);
    items_.push_back(item);
    stretches_.insert(call::t_turn.count.load());
  }
  void add_failure(const Failure& failure) {
    const std::lock_guard hold(mutex_);
    failures_.push_back(failure.stage + ": " + std::string(to_string(failure.code)) + ": " +
                        failure.message);
  }
  [[nodiscard]] std::vector<std::int64_t> numbers() {
    const std::lock_guard hold(mutex_);
    std::vector<std::int64_t> all;
    for (const Item& item : items_) all.push_back(item.number);
    return all;
  }
  [[nodiscard]] std::string text_of(std::int64_t number) {
    const std::lock_guard hold(mutex_);
    const auto found = std::find_if(items_.begin(), items_.end(),
                                    [number](const Item& item) { return item.number == number; });
    return found == items_.end() ? "-" : found->text;
  }
  [[nodiscard]] std::vector<std::string> failures() {
    const std::lock_guard hold(mutex_);
    return failures_;
  }
  /// Of work, that they belonged to.
  [[nodiscard]] std::size_t stretches() {
    const std::lock_guard hold(mutex_);
    return stretches_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<Item> items_;
  std::set<std::uint64_t> stretches_;
  std::vector<std::string> failures_;
};
struct Note : Handler {
  using request_type = Item;
  using response_type = void;
  Seen* shared = nullptr;
  void handle(const Item& item) const { shared->add(item); }
};
struct Pass : Handler {
  using request_type = Item;
  using response_type = void;
  static void handle(const Item& /*item*/) {}
};
struct NoteFailure : Handler {
  using request_type = Failure;
  using response_type = void;
  Seen* shared = nullptr;
  void handle(const Failure& failure) const { shared->add_failure(failure); }
};

/// Runs on the flow's thread.
struct Errand : exec::Job {
  explicit Errand(std::function<void()> its_body) : body(std::move(its_body)) {
    run = [](exec::Job& job) noexcept {
      const std::unique_ptr<Errand> self(&static_cast<Errand&>(job));
      self->body();
    };
  }
  std::function<void()> body;
};

/// The binary of the flow: a stage of the other one, then one that notes what comes, and a catch.
class Rows : public ::testing::Test {
 protected:
  Rows() {
    char name[] = "/tmp/penstock-row-XXXXXX";
    folder_ = mkdtemp(name);
    directory = std::make_unique<Directory>(folder_ + "/run");
    peer.binary = "node";
    peer.self = self_of(hello_of("front", instance_of('f')), {{"F.there", 1, 2}});
    peer.directory = directory.get();
    peer.through_memory = false;
    peer.slot = one.binary.take_slot();
    peer.limits = kPatient;
    peer.patience = 3600 * remote_test::kSecond;
  }
  ~Rows() override {
    peer.stops = true;
    one.binary.stop();
    std::filesystem::remove_all(folder_);
  }

  template <Role role, class Stage>
  void build() {
    add<role, Stage>();
    one.stage<Role::side_effect, Note>("note", Kind::simple, pool, nullptr);
    last().implementations.front()->give_extras().shared = &seen;
    add_catch();
    start();
  }
  /// A plain stage, two ways on for each event, one of them by the other binary, and a last stage
  /// on both.
  void build_with_ways() {
    one.stage<Role::side_effect, Pass>("pass", Kind::simple, pool, nullptr);
    add<Role::side_effect, app::RemoteSideEffect<Item>>();
    one.stage<Role::side_effect, Note>("note", Kind::simple, pool, nullptr);
    last().implementations.front()->give_extras().shared = &seen;
    one.stage<Role::side_effect, Note>("note here", Kind::simple, pool, nullptr);
    one.flow.stages().back().after = {0};
    last().implementations.front()->give_extras().shared = &seen_here;
    add_catch();
    start();
  }
  /// All stages here are known to be quick, and no sample of a busy machine says otherwise.
  void start() {
    one.start();
    one.binary.registry().set_sampling(0);
    for (flow::Stage& stage : one.flow.stages()) stage.at_once = 64;
  }
  void add_catch() {
    one.stage<Role::catch_failure, NoteFailure>("catch", Kind::simple, pool, nullptr);
    one.flow.stages().back().after = {at_there_};
    last().implementations.front()->give_extras().shared = &seen;
  }
  template <Role role, class Stage>
  void add() {
    record = {.type = &kRemoteType<Item, typename Stage::Answer>, .peer = &peer, .outlet = 0};
    one.stage<role, Stage>("there", Kind::async_remote, pool, nullptr);
    flow::Stage& stage = one.flow.stages().back();
    at_there_ = stage.index;
    call::Service& outlet =
        one.binary.service("there", Kind::async_remote, pool, {&remote_implementation()});
    outlet.thread = call::Service::kWhereCalled;
    outlet.implementations.front()->give_extras().shared = &record;
    const call::CallSite& site = one.binary.site(outlet);
    outlet_ = &outlet;
    stage.service->implementations.front()->give_extras().wiring.push_back(
        call::wire_to(&Stage::calls_type::there, &site));
    row_stage_.emplace(*app::kRowsOf<Stage>, site);
    stage.afar = &*row_stage_;
  }
  [[nodiscard]] call::Service& last() { return *one.flow.stages().back().service; }
  /// So many events with rising numbers, all in one job.
  void emit(std::int64_t first, std::int64_t count) {
    on_thread([this, first, count] { push(first, count); });
  }
  /// As a handler that is known to be quick, so that they are gathered to chunks.
  void push_as_handler(std::int64_t first, std::int64_t count) {
    call::Implementation& note = *last().implementations.front();
    for (int times = 0; times < 100; ++times) note.pace.note(0);
    call::Activation activation;
    activation.implementation = &note;
    const call::Activating activating(&activation);
    push(first, count);
  }
  void push(std::int64_t first, std::int64_t count) {
    for (std::int64_t number = first; number < first + count; ++number)
      one.flow.push(Item{number, "text of " + std::to_string(number)});
  }
  void on_thread(std::function<void()> body) {
    pool.worker(0).post(*std::make_unique<Errand>(std::move(body)).release());
  }
  /// Runs it on the flow's thread, which sends what comes of it and then reads no answer before
  /// those of so many events are there, or the most of them.
  template <class AnyNode>
  void let_all_come_at_once(const AnyNode& node, std::uint64_t events, std::function<void()> body) {
    still_.close();
    on_thread([this, body = std::move(body)] {
      body();
      // Behind what came of it, and behind the flush that this asked for.
      later(3, [this] { still_.pass(); });
    });
    still_.wait_for_one();
    EXPECT_TRUE(eventually([&] { return node.done() == events; }));
    still_.open();
  }
  /// On the flow's thread: once all that waits there has run, and so many times what that left.
  void later(int turns, std::function<void()> body) {
    exec::Worker::current()->post_here(*std::make_unique<Errand>([this, turns, body] {
                                          if (turns == 0) return body();
                                          later(turns - 1, body);
                                        }).release());
  }
  void wait_for_end(std::uint64_t events) {
    ASSERT_TRUE(eventually([&] { return one.emitted() == events && one.all_ended(); }));
  }
  /// Nothing waits, and what was asked has ended.
  void expect_all_counted() {
    EXPECT_EQ(peer.figures.waiting, 0U);
    EXPECT_EQ(outlet_->sent_count(), outlet_->done_count());
    const flow::Stage& stage = one.flow.stages()[at_there_];
    EXPECT_EQ(stage.service->sent_count(), stage.service->done_count());
    EXPECT_EQ(one.flow.runs(stage), one.emitted());
  }
  static std::vector<std::int64_t> from_to(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(last - first + 1));
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
  }

  std::string folder_;
  std::unique_ptr<Directory> directory;
  There there;
  Peer peer;
  RemoteService record;
  std::optional<RowStage> row_stage_;
  call::Service* outlet_ = nullptr;
  std::uint32_t at_there_ = 0;
  Seen seen;
  Seen seen_here;
  Gate still_;
  OneFlow one;
  exec::Pool& pool = one.binary.pool(pool_settings("front", 1));
};

using KeepsEvents = Node<Keep, StageGives::event>;
using Doubles = Node<Double, StageGives::response>;
using Stays = Node<Stay, StageGives::event>;
using Sinks = Node<Sink, StageGives::response>;

TEST_F(Rows, GoThereAndOnTogetherAndInOrder) {
  const KeepsEvents node(*directory, 'a', there);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  // There is a link, on which all leave at once.
  emit(99, 1);
  wait_for_end(1);
  let_all_come_at_once(node, 61, [this] { push(100, 60); });
  wait_for_end(61);
  EXPECT_EQ(seen.numbers(), from_to(99, 159));
  EXPECT_LT(seen.stretches(), 61U);
  EXPECT_EQ(seen.text_of(130), "text of 130");
  expect_all_counted();
}

// One that carries more than its value asks by itself.
TEST_F(Rows, NeitherOvertakeOneThatGoesAloneNorAreOvertaken) {
  const KeepsEvents node(*directory, 'a', there);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  emit(99, 1);
  wait_for_end(1);
  let_all_come_at_once(node, 61, [this] {
    for (std::int64_t number = 100; number < 160; ++number) {
      flow::Event& event = one.flow.make_event();
      event.set_value(Item{number, "alone"});
      if (number % 3 == 0) event.set_deadline(testing::far_from_now());
      one.flow.emit(event);
    }
  });
  wait_for_end(61);
  EXPECT_EQ(seen.numbers(), from_to(99, 159));
  expect_all_counted();
}

TEST_F(Rows, GoAsTheChunksThatTheyAreIn) {
  const KeepsEvents node(*directory, 'a', there);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  emit(99, 1);
  wait_for_end(1);
  let_all_come_at_once(node, 151, [this] {
    push_as_handler(100, 50);
    one.flow.push(Item{150, "between them"});
    push_as_handler(151, 99);
  });
  wait_for_end(151);
  EXPECT_EQ(seen.numbers(), from_to(99, 249));
  expect_all_counted();
}

// Chunks only ever become smaller elsewhere.
TEST_F(Rows, GoTogetherAgainFromSmallChunks) {
  const KeepsEvents node(*directory, 'a', there);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  emit(99, 1);
  wait_for_end(1);
  const std::size_t before = seen.stretches();
  let_all_come_at_once(node, 61, [this] {
    for (std::int64_t number = 100; number < 160; number += 3) push_as_handler(number, 3);
  });
  wait_for_end(61);
  EXPECT_EQ(seen.numbers(), from_to(99, 159));
  EXPECT_LT(seen.stretches() - before, 10U);
  expect_all_counted();
}

// One of the two pieces of each event goes away and comes back; it ends once, with the last one.
TEST_F(Rows, ArePiecesOfEventsThatGoSeveralWays) {
  const KeepsEvents node(*directory, 'a', there);
  build_with_ways();
  on_thread([this] { push_as_handler(1, 60); });
  wait_for_end(60);
  std::vector<std::int64_t> expected = from_to(1, 60);
  EXPECT_EQ(seen_here.numbers(), expected);
  std::erase(expected, kEnds);
  std::erase(expected, kFails);
  EXPECT_EQ(seen.numbers(), expected);
  EXPECT_EQ(seen.failures(), std::vector<std::string>{"there: not_found: no such item"});
  EXPECT_EQ(one.completed(), 59U);
  EXPECT_EQ(one.failed(), 1U);
  expect_all_counted();
}

TEST_F(Rows, BecomeWhatTheStageMakesOfThem) {
  KeepsEvents node(*directory, 'a', there);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  emit(1, 20);
  wait_for_end(20);
  std::vector<std::int64_t> expected = from_to(1, 20);
  std::erase(expected, kEnds);
  std::erase(expected, kFails);
  EXPECT_EQ(seen.numbers(), expected);
  EXPECT_EQ(seen.text_of(kChanges), "changed");
  EXPECT_EQ(seen.failures(), std::vector<std::string>{"there: not_found: no such item"});
  EXPECT_EQ(one.completed(), 19U);
  EXPECT_EQ(one.failed(), 1U);
  expect_all_counted();
}

TEST_F(Rows, GoOnAsWhatTheStageGives) {
  Doubles node(*directory, 'a', there);
  build<Role::map, app::RemoteStage<Item, Item>>();
  emit(1, 20);
  wait_for_end(20);
  std::vector<std::int64_t> expected = from_to(1, 20);
  std::erase(expected, kEnds);
  std::erase(expected, kFails);
  for (std::int64_t& number : expected) number *= 2;
  EXPECT_EQ(seen.numbers(), expected);
  EXPECT_EQ(seen.text_of(40), "text of 20text of 20");
  EXPECT_EQ(seen.failures(), std::vector<std::string>{"there: not_found: no such item"});
  expect_all_counted();
}

TEST_F(Rows, EndWhereTheStageGivesNothing) {
  Sinks node(*directory, 'a', there);
  build<Role::map, app::RemoteStage<Item, void>>();
  emit(1, 20);
  wait_for_end(20);
  EXPECT_EQ(there.came, 20);
  EXPECT_EQ(one.completed(), 20U);
  EXPECT_TRUE(seen.numbers().empty());
  expect_all_counted();
}

TEST_F(Rows, WaitInOrderUntilAProcessCanBeReached) {
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  emit(100, 40);
  EXPECT_TRUE(eventually([&] { return peer.figures.waiting == 40; }));
  emit(140, 40);
  EXPECT_TRUE(eventually([&] { return peer.figures.waiting == 80; }));
  const KeepsEvents node(*directory, 'a', there);
  wait_for_end(80);
  EXPECT_EQ(seen.numbers(), from_to(100, 179));
  expect_all_counted();
}

TEST_F(Rows, HoldBackTheirSourceWhileTheyWait) {
  EXPECT_TRUE(one.flow.stages().empty());
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  emit(1000, 2000);
  EXPECT_TRUE(eventually([&] { return peer.figures.waiting == 2000; }));
  EXPECT_FALSE(one.flow.has_room());
  const KeepsEvents node(*directory, 'a', there);
  wait_for_end(2000);
  EXPECT_TRUE(one.flow.has_room());
  expect_all_counted();
}

TEST_F(Rows, GoAsFarAsThereIsCredit) {
  const KeepsEvents node(*directory, 'a', there, 4);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  for (int round = 0; round < 10; ++round) emit(100 + round * 100, 100);
  wait_for_end(1000);
  EXPECT_EQ(seen.numbers(), from_to(100, 1099));
  expect_all_counted();
}

TEST_F(Rows, FailOnceWhereTheirLinkBreaks) {
  Stays node(*directory, 'a', there);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  emit(kStays, 30);
  ASSERT_TRUE(eventually([&] { return there.came == 30; }));
  node.break_off();
  wait_for_end(30);
  EXPECT_EQ(one.failed(), 30U);
  const std::string lost =
      "there: unavailable: call to there: the link to node broke while it was under way; it may "
      "have been run";
  EXPECT_EQ(seen.failures(), std::vector<std::string>(30, lost));
  // What comes then finds it again.
  emit(200, 30);
  wait_for_end(60);
  EXPECT_EQ(seen.numbers(), from_to(200, 229));
  expect_all_counted();
}

TEST_F(Rows, AreSentAgainWhereThatIsDrawn) {
  Stays node(*directory, 'a', there);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  record.idempotent = true;
  emit(kStays, 30);
  ASSERT_TRUE(eventually([&] { return there.came == 30; }));
  there.stays = false;
  node.break_off();
  wait_for_end(30);
  EXPECT_EQ(there.came, 60);
  EXPECT_EQ(one.completed(), 30U);
  std::vector<std::int64_t> numbers = seen.numbers();
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers, from_to(kStays, kStays + 29));
  expect_all_counted();
}

TEST_F(Rows, FailByThemselvesWhereTheyAreTooLarge) {
  const KeepsEvents node(*directory, 'a', there);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  on_thread([this] {
    one.flow.push(Item{100, "small"});
    one.flow.push(Item{101, std::string(10'000, 'x')});
    one.flow.push(Item{102, "small"});
  });
  wait_for_end(3);
  EXPECT_EQ(seen.numbers(), (std::vector<std::int64_t>{100, 102}));
  EXPECT_EQ(seen.failures(),
            std::vector<std::string>{"there: resource_exhausted: call to there: its request is "
                                     "larger than node takes"});
  expect_all_counted();
}

TEST_F(Rows, SayThatTheOtherBinaryDoesNotHaveTheStage) {
  peer.self.wanted.front().name = "F.elsewhere";
  const KeepsEvents node(*directory, 'a', there);
  build<Role::side_effect, app::RemoteSideEffect<Item>>();
  emit(100, 10);
  wait_for_end(10);
  EXPECT_EQ(one.failed(), 10U);
  EXPECT_EQ(seen.failures(),
            std::vector<std::string>(
                10, "there: unimplemented: call to there: node: it has no service F.elsewhere"));
  expect_all_counted();
}

}  // namespace
}  // namespace penstock::net::row_test
