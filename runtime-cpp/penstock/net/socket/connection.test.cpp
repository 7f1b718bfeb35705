#include "penstock/net/socket/connection.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "penstock/exec/pool.hpp"
#include "penstock/net/socket/listener.hpp"
#include "penstock/net/socket/rings.hpp"
#include "support/gate.hpp"
#include "support/small_binary.hpp"
#include "support/two_links.hpp"

namespace penstock::net::connection_test {
namespace {

using namespace penstock::testing::two_links;
using penstock::testing::eventually;
using penstock::testing::Gate;
using penstock::testing::pool_settings;
using penstock::testing::SmallBinary;

constexpr std::uint32_t kMebibyte = 1U << 20U;
constexpr std::uint32_t kWindow = 64;
// No verdict hangs on how soon a busy machine runs a thread again.
constexpr Link::Limits kPatient{
    .greet = 3600 * kSecond, .silence = kSecond / 10, .lost = 3600 * kSecond};

/// Runs it on that worker's thread, and waits for it.
void on(exec::Worker& worker, const std::function<void()>& body) {
  struct Call : exec::Job {
    const std::function<void()>* body = nullptr;
    std::atomic<bool> done{false};
  };
  Call call;
  call.body = &body;
  call.run = [](exec::Job& job) noexcept {
    auto& self = static_cast<Call&>(job);
    (*self.body)();
    self.done.store(true, std::memory_order_release);
  };
  worker.post_as_visitor(call);
  EXPECT_TRUE(eventually([&call] { return call.done.load(std::memory_order_acquire); }));
}

struct SmallFolder {
  SmallFolder() {
    char name[] = "/tmp/penstock-net-XXXXXX";
    path = mkdtemp(name);
  }
  SmallFolder(const SmallFolder&) = delete;
  SmallFolder& operator=(const SmallFolder&) = delete;
  ~SmallFolder() { std::filesystem::remove_all(path); }
  std::string path;
};

Link::Self large(Link::Self self) {
  self.hello.largest_body = kMebibyte;
  self.hello_bytes = wire::write_hello(self.hello);
  return self;
}

const Link::Self kLargeFront = large(kFront);
const Link::Self kLargeAds = large(kAds);

/// The end that serves: it answers each request with itself, in a job that comes later.
class Echo final : public Connection::User {
 public:
  explicit Echo(Descriptor socket) : Echo(std::move(socket), nullptr) {}
  Echo(Descriptor socket, std::unique_ptr<Carrier> carrier)
      : connection(std::make_unique<Connection>(std::move(socket), kLargeAds, *this, kPatient,
                                                std::move(carrier))) {
    answering_.echo = this;
    answering_.run = [](exec::Job& job) noexcept { static_cast<Answering&>(job).echo->answer(); };
  }

  void opened(Link& link) override { link.offer(0, kWindow); }
  void has_credit(Link&, std::size_t) override {}
  ReceivedCall* called(Link&, const Incoming& call) override {
    if (waiting_.empty() && !holds) exec::Worker::current()->post_here(answering_);
    waiting_.push_back(std::make_unique<TestReceived>());
    waiting_.back()->request = call.message;
    ++received;
    return waiting_.back().get();
  }
  void cancelled(Link&, ReceivedCall&) noexcept override { ++cancellations; }
  void drains(Link&) override { ++drainings; }
  void closed(Link& link) noexcept override {
    waiting_.clear();
    why = link.why();
    is_closed.store(true, std::memory_order_release);
  }

  void answer() {
    while (!waiting_.empty()) {
      const auto call = std::move(waiting_.front());
      waiting_.pop_front();
      connection->link().answer(*call, call->request.size(),
                                [&call](char* at) { call->request.copy(at, std::string::npos); });
    }
    connection->attend();
  }

  std::atomic<int> received{0};
  std::atomic<int> cancellations{0};
  std::atomic<int> drainings{0};
  std::atomic<bool> is_closed{false};
  std::atomic<bool> holds{false};
  std::string why;  // once closed

 private:
  struct Answering : exec::Job {
    Echo* echo = nullptr;
  };
  std::deque<std::unique_ptr<TestReceived>> waiting_;
  Answering answering_;

 public:
  std::unique_ptr<Connection> connection;  // its link has what waits
};

/// Takes each connection, and serves it on the worker that listens.
struct Server final : Listener::Taker {
  void accepted(Descriptor socket, bool /*secured*/, std::uint64_t /*number*/) noexcept override {
    stranger = is_strangers(socket);
    auto carrier = takes_rings ? Rings::expect(socket) : nullptr;
    echoes.push_back(std::make_unique<Echo>(std::move(socket), std::move(carrier)));
    ++count;
  }
  bool takes_rings = false;
  std::vector<std::unique_ptr<Echo>> echoes;
  std::atomic<int> count{0};
  std::atomic<bool> stranger{true};
};

/// The end that calls.
class Caller final : public Connection::User {
 public:
  explicit Caller(Descriptor socket, std::unique_ptr<Carrier> carrier = nullptr)
      : connection(std::make_unique<Connection>(std::move(socket), kLargeFront, *this, kPatient,
                                                std::move(carrier))) {}

  void opened(Link&) override { is_open.store(true, std::memory_order_release); }
  void has_credit(Link&, std::size_t) override { send_waiting(); }
  ReceivedCall* called(Link& link, const Incoming& call) override {
    link.refuse(call, ErrorCode::not_found, "nothing is here");
    return nullptr;
  }
  void cancelled(Link&, ReceivedCall&) noexcept override {}
  void drains(Link&) override { ++drainings; }
  void closed(Link& link) noexcept override {
    why = link.why();
    is_closed.store(true, std::memory_order_release);
  }

  /// Once there is credit.
  void call(SentCall& call) {
    waiting_.push_back(&call);
    send_waiting();
  }
  void send_waiting() {
    while (!waiting_.empty() &&
           connection->link().send(*waiting_.front(), 0, now_ns()) == Link::Sent::yes)
      waiting_.pop_front();
    connection->attend();
  }

  std::atomic<bool> is_open{false};
  std::atomic<bool> is_closed{false};
  std::atomic<int> drainings{0};
  std::string why;  // once closed
  std::unique_ptr<Connection> connection;

 private:
  std::deque<SentCall*> waiting_;
};

/// A call whose end is waited for from another thread.
struct CountedCall final : SentCall {
  CountedCall(std::string text, std::atomic<int>& open)
      : SentCall(kType), request(std::move(text)), ended_(open) {}

  std::string request;
  std::string end;

  static std::size_t size_of(const SentCall& call) {
    return static_cast<const CountedCall&>(call).request.size();
  }
  static void write_to(const SentCall& call, char* at) {
    static_cast<const CountedCall&>(call).request.copy(at, std::string::npos);
  }
  static wire::CallEnvelope envelope_of(const SentCall&, Nanos) noexcept { return {}; }
  static void note_end(SentCall& call, const CallEnd& end) noexcept {
    auto& self = static_cast<CountedCall&>(call);
    self.end = end.kind == CallEnd::Kind::lost ? "lost" : std::string(end.bytes);
    self.ended_.fetch_add(1, std::memory_order_release);
  }
  static constexpr SentCallType kType{&size_of, &write_to, &envelope_of, &note_end};

 private:
  std::atomic<int>& ended_;
};

enum class Kind { unix_socket, tcp, memory };

exec::PoolSettings one_thread(const char* name, exec::Idle idle) {
  auto settings = pool_settings(name, 1);
  settings.idle = idle;
  return settings;
}

class Connections : public ::testing::TestWithParam<std::tuple<Kind, exec::Idle>> {
 protected:
  void SetUp() override {
    binary.start();
    server.takes_rings = kind == Kind::memory;
    on(ads(), [this] {
      listener = std::make_unique<Listener>(kind == Kind::tcp
                                                ? Place::tcp("127.0.0.1", 0)
                                                : Place::unix_socket(folder.path + "/ads.sock"),
                                            server);
    });
    connect();
  }
  void TearDown() override {
    on(front(), [this] { caller.reset(); });
    on(ads(), [this] {
      listener.reset();
      server.echoes.clear();
    });
  }

  exec::Worker& front() { return front_pool.worker(0); }
  exec::Worker& ads() { return ads_pool.worker(0); }
  Place place() {
    return kind == Kind::tcp ? Place::tcp("127.0.0.1", port_of(listener->socket()))
                             : Place::unix_socket(folder.path + "/ads.sock");
  }
  std::unique_ptr<Caller> call_from_here() {
    Descriptor socket = place().connect();
    auto carrier = kind == Kind::memory ? Rings::offer(socket) : nullptr;
    return std::make_unique<Caller>(std::move(socket), std::move(carrier));
  }
  void connect() {
    on(front(), [this] { caller = call_from_here(); });
    ASSERT_TRUE(eventually([this] { return caller->is_open.load(std::memory_order_acquire); }));
    ASSERT_TRUE(eventually([this] { return server.count > 0; }));
    EXPECT_FALSE(server.stranger);
    on(front(), [this] { EXPECT_EQ(caller->connection->is_in_memory(), kind == Kind::memory); });
  }
  void wait_for(int ends) {
    ASSERT_TRUE(eventually([this, ends] { return ended.load(std::memory_order_acquire) == ends; }));
  }

  SmallFolder folder;
  Server server;
  std::unique_ptr<Listener> listener;
  std::unique_ptr<Caller> caller;
  std::atomic<int> ended{0};
  SmallBinary binary;
  const Kind kind = std::get<Kind>(GetParam());
  const exec::Idle idle = std::get<exec::Idle>(GetParam());
  exec::Pool& front_pool = binary.pool(one_thread("front", idle));
  exec::Pool& ads_pool = binary.pool(one_thread("ads", idle));
};

std::string name_of(const ::testing::TestParamInfo<std::tuple<Kind, exec::Idle>>& which) {
  const auto [kind, idle] = which.param;
  const std::string where = kind == Kind::tcp ? "Tcp" : kind == Kind::memory ? "Memory" : "Unix";
  return where + (idle == exec::Idle::spin ? "Spin" : idle == exec::Idle::park ? "Park" : "");
}
INSTANTIATE_TEST_SUITE_P(
    Sockets, Connections,
    ::testing::Combine(::testing::Values(Kind::unix_socket, Kind::tcp, Kind::memory),
                       ::testing::Values(exec::Idle::adaptive, exec::Idle::spin, exec::Idle::park)),
    name_of);

TEST_P(Connections, CarryManyMoreCallsThanTheOtherEndTakesAtOnce) {
  constexpr int kCalls = 2'000;
  std::deque<CountedCall> calls;
  for (int call = 0; call < kCalls; ++call) calls.emplace_back(std::to_string(call), ended);
  on(front(), [&] {
    for (CountedCall& call : calls) caller->call(call);
  });
  wait_for(kCalls);
  for (const CountedCall& call : calls) EXPECT_EQ(call.end, call.request);
}

TEST_P(Connections, SendWhileMoreIsMade) {
  CountedCall first("there is credit once it has ended", ended);
  on(front(), [&] { caller->call(first); });
  wait_for(1);
  std::deque<CountedCall> calls;
  for (int call = 0; call < (kind == Kind::memory ? 12 : 40); ++call)
    calls.emplace_back("a text of 20 letters", ended);
  on(front(), [&] {
    for (CountedCall& call : calls) caller->call(call);
    EXPECT_TRUE(eventually([this] { return server.echoes.front()->received > 1; }));
  });
  wait_for(static_cast<int>(calls.size()) + 1);
}

/// Calls one after the other, until told to end.
struct Chain final : SentCall {
  explicit Chain(Caller& its_caller) : SentCall(kType), caller(its_caller) {}

  Caller& caller;
  std::atomic<int> calls{0};
  std::atomic<bool> ends{false};
  std::atomic<bool> ended{false};

  static std::size_t size_of(const SentCall&) { return 0; }
  static void write_to(const SentCall&, char*) {}
  static wire::CallEnvelope envelope_of(const SentCall&, Nanos) noexcept { return {}; }
  static void go_on(SentCall& call, const CallEnd& end) noexcept {
    auto& self = static_cast<Chain&>(call);
    ++self.calls;
    if (self.ends || end.kind != CallEnd::Kind::answer) {
      self.ended.store(true, std::memory_order_release);
    } else {
      self.caller.call(self);
    }
  }
  static constexpr SentCallType kType{&size_of, &write_to, &envelope_of, &go_on};
};

// Looks that a busy socket gets by itself leave enough of them to the others.
TEST_P(Connections, AreSeenByAWorkerThatIsBusyWithAnotherOne) {
  Chain chain(*caller);
  on(front(), [&] { caller->call(chain); });
  ASSERT_TRUE(eventually([&] { return chain.calls > 100; }));
  std::unique_ptr<Caller> other;
  on(front(), [&] { other = call_from_here(); });
  ASSERT_TRUE(eventually([&] { return other->is_open.load(std::memory_order_acquire); }));
  CountedCall call("x", ended);
  on(front(), [&] { other->call(call); });
  wait_for(1);
  EXPECT_EQ(call.end, "x");
  chain.ends = true;
  EXPECT_TRUE(eventually([&] { return chain.ended.load(std::memory_order_acquire); }));
  on(front(), [&] { other.reset(); });
}

TEST_P(Connections, CarryWhatNoSocketTakesAtOnce) {
  std::deque<CountedCall> calls;
  for (int call = 0; call < 8; ++call) {
    // With room for what a frame holds besides.
    calls.emplace_back(std::string(kMebibyte - 64, static_cast<char>('a' + call)), ended);
  }
  on(front(), [&] {
    for (CountedCall& call : calls) caller->call(call);
  });
  wait_for(8);
  for (const CountedCall& call : calls) EXPECT_TRUE(call.end == call.request);
}

TEST_P(Connections, EndTheCallsOfAnEndThatGoes) {
  on(ads(), [this] { server.echoes[0]->holds = true; });
  CountedCall call("x", ended);
  on(front(), [&] { caller->call(call); });
  ASSERT_TRUE(eventually([this] { return server.echoes[0]->received == 1; }));
  on(ads(), [this] { server.echoes.clear(); });
  wait_for(1);
  EXPECT_EQ(call.end, "lost");
  EXPECT_TRUE(eventually([this] { return caller->is_closed.load(std::memory_order_acquire); }));
  EXPECT_TRUE(caller->why.starts_with("it was closed by the other end") ||
              caller->why.starts_with("it broke: "))
      << caller->why;
}

// An edge tells of both at once.
TEST_P(Connections, EndWhereTheEndCameTogetherWithTheBytesBeforeIt) {
  // On the thread that would look: it finds all of it there.
  on(ads(), [this] {
    const Descriptor goes = place().connect();
    pollfd writable{.fd = goes.number(), .events = POLLOUT, .revents = 0};
    ASSERT_EQ(poll(&writable, 1, -1), 1);
    const std::string& hello = kLargeFront.hello_bytes;
    ASSERT_EQ(send(goes.number(), hello.data(), hello.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(hello.size()));
  });
  ASSERT_TRUE(eventually([this] { return server.count == 2; }));
  Echo* goes = nullptr;
  on(ads(), [&] { goes = server.echoes[1].get(); });
  EXPECT_TRUE(eventually([&] { return goes->is_closed.load(std::memory_order_acquire); }));
}

TEST_P(Connections, AreAllAcceptedHoweverManyComeAtOnce) {
  constexpr int kMany = 200;
  std::vector<Descriptor> come;
  on(ads(), [&] {
    for (int one = 0; one < kMany; ++one) come.push_back(place().connect());
  });
  EXPECT_TRUE(eventually([&] { return server.count == kMany + 1; }));
}

// More than goes into the socket. Nothing of it is written over from then on.
TEST_P(Connections, HaveShownWhatTheyCouldNotSend) {
  CountedCall call("x", ended);
  on(front(), [&] { caller->call(call); });
  wait_for(1);
  on(front(), [this] {
    Link& link = caller->connection->link();
    static_cast<void>(link.outgoing().append(64 * std::size_t{kMebibyte}));
    caller->connection->attend();
    EXPECT_EQ(link.state(), Link::State::open);
    EXPECT_FALSE(link.outgoing().bytes().empty());
    EXPECT_EQ(link.outgoing().unseen(), link.outgoing().end());
  });
}

TEST_P(Connections, TellTheOtherEndThatNobodyWaits) {
  on(ads(), [this] { server.echoes[0]->holds = true; });
  CountedCall call("x", ended);
  on(front(), [&] { caller->call(call); });
  ASSERT_TRUE(eventually([this] { return server.echoes[0]->received == 1; }));
  on(front(), [&] {
    caller->connection->link().cancel(call);
    caller->connection->attend();
  });
  EXPECT_TRUE(eventually([this] { return server.echoes[0]->cancellations == 1; }));
  on(ads(), [this] { server.echoes[0]->answer(); });
  EXPECT_EQ(ended, 0);
}

// However long they would have waited for the hello.
TEST_P(Connections, AskAgainWhetherTheOtherEndIsThere) {
  std::uint64_t before = 0;
  std::uint64_t now = 0;
  on(front(), [&] { before = caller->connection->link().outgoing().end(); });
  // Of both ends' first pings at most two frames are still to be written.
  EXPECT_TRUE(eventually([&] {
    on(front(), [&] { now = caller->connection->link().outgoing().end(); });
    return now >= before + 3 * wire::kHeadBytes;
  }));
}

TEST_P(Connections, AreServedByAWorkerThatIsNeverIdle) {
  struct Busy : exec::Job {
    std::atomic<bool> ends{false};
    std::atomic<bool> ended{false};
  };
  Busy busy;
  busy.run = [](exec::Job& job) noexcept {
    auto& self = static_cast<Busy&>(job);
    if (self.ends) {
      self.ended.store(true, std::memory_order_release);
    } else {
      exec::Worker::current()->post_here(job);
    }
  };
  ads().post(busy);
  CountedCall call("x", ended);
  on(front(), [&] { caller->call(call); });
  wait_for(1);
  EXPECT_EQ(call.end, "x");
  busy.ends = true;
  EXPECT_TRUE(eventually([&] { return busy.ended.load(std::memory_order_acquire); }));
}

TEST_P(Connections, LetTheirWorkerLeaveOnceItsCallsHaveEnded) {
  on(ads(), [this] { server.echoes[0]->holds = true; });
  CountedCall call("x", ended);
  on(front(), [&] { caller->call(call); });
  ASSERT_TRUE(eventually([this] { return server.echoes[0]->received == 1; }));
  Echo& echo = *server.echoes[0];
  std::thread stops([this] { EXPECT_TRUE(ads_pool.stop(penstock::testing::far_from_now())); });
  EXPECT_TRUE(eventually([this] { return caller->drainings == 1; }));
  EXPECT_EQ(ended, 0);
  struct Answer : exec::Job {
    Echo* echo = nullptr;
  };
  Answer answer;
  answer.echo = &echo;
  answer.run = [](exec::Job& job) noexcept {
    Echo& of = *static_cast<Answer&>(job).echo;
    of.answer();
  };
  ads().post(answer);
  wait_for(1);
  EXPECT_EQ(call.end, "x");
  EXPECT_TRUE(eventually([this] { return caller->is_closed.load(std::memory_order_acquire); }));
  on(front(), [this] { caller.reset(); });
  stops.join();
  // Who heard of the end closes it: until then calls might have been on their way.
  EXPECT_EQ(echo.why, "it was closed by the other end");
  listener.reset();
  server.echoes.clear();
}

TEST(Places, AreForTheirUser) {
  const SmallFolder folder;
  const Place place = Place::unix_socket(folder.path + "/x.sock");
  const Descriptor socket = place.listen();
  struct stat about {};
  ASSERT_EQ(stat((folder.path + "/x.sock").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
  const Descriptor caller = place.connect();
  const Descriptor accepted = accept_from(socket);
  ASSERT_TRUE(accepted.is_open());
  EXPECT_FALSE(is_strangers(accepted));
  EXPECT_FALSE(is_strangers(caller));
  if (geteuid() != 0) return;
  // Only root can be somebody else for a moment.
  std::array<int, 2> pair{};
  ASSERT_EQ(seteuid(65534), 0);
  const int made = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data());
  ASSERT_EQ(seteuid(0), 0);
  ASSERT_EQ(made, 0);
  const Descriptor one(pair[0]);
  const Descriptor other(pair[1]);
  EXPECT_TRUE(is_strangers(one));
}

TEST(Places, AreAllOfAHostWhereTheyAreEverywhere) {
  const Place place = Place::everywhere(0, {});
  EXPECT_EQ(place.text(), "tcp://*:0");
  EXPECT_EQ(Place::everywhere(0, {.secured = true}).text(), "tls://*:0");
  EXPECT_EQ(Place::everywhere(0, {.udp = true, .secured = true}).text(), "udp://*:0");
  const Descriptor socket = place.listen();
  for (const char* const host : {"127.0.0.1", "127.0.0.77"}) {
    const Descriptor caller = Place::tcp(host, port_of(socket)).connect();
    pollfd comes{.fd = socket.number(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(poll(&comes, 1, -1), 1);
    const Descriptor accepted = accept_from(socket);
    ASSERT_TRUE(accepted.is_open());
    EXPECT_NE(other_end(accepted).find("127.0.0.1"), std::string::npos) << other_end(accepted);
  }
}

TEST(Places, TellWhoConnectsOverTcp) {
  for (const char* const host : {"127.0.0.1", "::1"}) {
    Descriptor socket;
    try {
      socket = Place::tcp(host, 0).listen();
    } catch (const std::system_error&) {
      EXPECT_STREQ(host, "::1");  // which not each machine has
      continue;
    }
    const Place place = Place::tcp(host, port_of(socket));
    const auto connect_as_seen = [&](Descriptor& accepted) {
      Descriptor caller = place.connect();
      pollfd ready{.fd = socket.number(), .events = POLLIN, .revents = 0};
      EXPECT_EQ(poll(&ready, 1, -1), 1);
      accepted = accept_from(socket);
      return caller;
    };
    Descriptor accepted;
    Descriptor caller = connect_as_seen(accepted);
    EXPECT_FALSE(is_strangers(accepted));
    EXPECT_FALSE(is_strangers(caller));
    caller.close();
    EXPECT_TRUE(is_strangers(accepted)) << "nobody's any more";
    if (geteuid() != 0) continue;
    ASSERT_EQ(seteuid(65534), 0);
    caller = connect_as_seen(accepted);
    ASSERT_EQ(seteuid(0), 0);
    EXPECT_TRUE(is_strangers(accepted));
  }
}

// The kernel looks for one that listens, where it finds none that is connected: another user brings
// that about with a port that it had first, and a socket of one device.
TEST(Places, TakeNobodyForTheProcessThatListensAtItsPort) {
  const Descriptor caller(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ASSERT_EQ(setsockopt(caller.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes), 0);
  ASSERT_EQ(setsockopt(caller.number(), SOL_SOCKET, SO_BINDTODEVICE, "lo", 3), 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* const at = reinterpret_cast<const sockaddr*>(&address);
  ASSERT_EQ(bind(caller.number(), at, sizeof address), 0);
  const Descriptor same_port = Place::tcp("127.0.0.1", port_of(caller)).listen();
  const Descriptor listens = Place::tcp("127.0.0.1", 0).listen();
  address.sin_port = htons(port_of(listens));
  ASSERT_EQ(connect(caller.number(), at, sizeof address), 0);
  pollfd ready{.fd = listens.number(), .events = POLLIN, .revents = 0};
  ASSERT_EQ(poll(&ready, 1, -1), 1);
  const Descriptor accepted = accept_from(listens);
  ASSERT_TRUE(accepted.is_open());
  EXPECT_TRUE(is_strangers(accepted));
}

// What is small does not wait until what came before is acknowledged.
TEST(Places, SendAtOnceOverTcp) {
  const Descriptor listens = Place::tcp("127.0.0.1", 0).listen();
  const Descriptor caller = Place::tcp("127.0.0.1", port_of(listens)).connect();
  pollfd ready{.fd = listens.number(), .events = POLLIN, .revents = 0};
  ASSERT_EQ(poll(&ready, 1, -1), 1);
  const Descriptor accepted = accept_from(listens);
  for (const Descriptor* const end : {&caller, &accepted}) {
    int at_once = 0;
    socklen_t size = sizeof at_once;
    ASSERT_EQ(getsockopt(end->number(), IPPROTO_TCP, TCP_NODELAY, &at_once, &size), 0);
    EXPECT_NE(at_once, 0);
  }
}

TEST(Packets, AreCountedOfWhatGoesOverTcp) {
  const Descriptor listens = Place::tcp("127.0.0.1", 0).listen();
  const Descriptor caller = Place::tcp("127.0.0.1", port_of(listens)).connect();
  pollfd ready{.fd = listens.number(), .events = POLLIN, .revents = 0};
  ASSERT_EQ(poll(&ready, 1, -1), 1);
  EXPECT_EQ(sent_packets(caller).all, 0U);
  ASSERT_EQ(send(caller.number(), "words", 5, 0), 5);
  EXPECT_GE(sent_packets(caller).all, 1U);
  EXPECT_LT(sent_packets(caller).again, sent_packets(caller).all);
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const Descriptor one(ends[0]);
  const Descriptor other(ends[1]);
  ASSERT_EQ(send(one.number(), "words", 5, 0), 5);
  EXPECT_EQ(sent_packets(one).all, 0U) << "nothing is lost on one host";
}

TEST(Places, AreSaidWhereTheyCannotBeUsed) {
  const SmallFolder folder;
  EXPECT_THROW(static_cast<void>(Place::unix_socket(std::string(108, 'x'))), Error);
  EXPECT_THROW(static_cast<void>(Place::unix_socket("")), Error);
  EXPECT_THROW(static_cast<void>(Place::tcp("localhost", 1)), Error);
  try {
    static_cast<void>(Place::unix_socket(folder.path + "/none.sock").connect());
    ADD_FAILURE();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    EXPECT_NE(std::string(error.what()).find(folder.path + "/none.sock"), std::string::npos);
  }
  EXPECT_EQ(Place::tcp("::1", 7400).text(), "tcp://[::1]:7400");
  EXPECT_EQ(Place::tcp("127.0.0.1", 7400).text(), "tcp://127.0.0.1:7400");
}

}  // namespace
}  // namespace penstock::net::connection_test
