#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "penstock/net/remote/calls/client.hpp"
#include "penstock/net/remote/door/door.hpp"
#include "support/gate.hpp"
#include "support/small_binary.hpp"

// Two binaries in one process, each with its pools and its counters: `Calls` asks, processes of
// `Ads` answer.

namespace penstock::net::remote_test {

using testing::eventually;
using testing::Gate;
using testing::pool_settings;
using testing::SmallBinary;

struct Word {
  std::string text;
};
struct Parcel {
  Buffer bytes;
};

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

template <>
struct Message<net::remote_test::Parcel> {
  using Parcel = net::remote_test::Parcel;
  static constexpr bool kHasBuffers = true;
  static std::size_t size(const Parcel& parcel) { return codec::size(1, parcel.bytes); }
  static void write(Writer& out, const Parcel& parcel) { codec::write(out, 1, parcel.bytes); }
  static bool read(Reader in, Parcel& parcel) {
    while (in.next()) {
      if (in.tag() == 1 ? !codec::read(in, parcel.bytes) : (in.skip(), false)) return false;
    }
    return true;
  }
};

}  // namespace penstock::codec

namespace penstock::net::remote_test {

inline constexpr Nanos kSecond = 1'000'000'000;
// No verdict hangs on how soon a busy machine runs a thread again.
inline constexpr Link::Limits kPatient{
    .greet = 3600 * kSecond, .silence = kSecond / 10, .lost = 3600 * kSecond};

/// Calls that the gated service of a process takes from a thread at once.
inline constexpr unsigned kMostGated = 8;

/// What the service of each process does, and what it saw.
struct Seen {
  /// Requests of that text that came.
  [[nodiscard]] int times(const std::string& text) {
    const std::lock_guard lock(mutex);
    return static_cast<int>(std::count(texts.begin(), texts.end(), text));
  }
  void add(const std::string& text) {
    const std::lock_guard lock(mutex);
    texts.push_back(text);
    ++came;
  }

  Gate gate;
  std::atomic<int> came{0};
  std::atomic<int> cancelled{0};
  std::atomic<bool> ill{false};  ///< calls fail
  std::mutex mutex;
  std::vector<std::string> texts;
};

struct Echo : Handler {
  using request_type = Word;
  using response_type = Word;
  Seen* shared = nullptr;

  Task<Word> handle(const Word& request) {
    shared->add(request.text);
    if (shared->ill) throw Error(ErrorCode::internal, "ill");
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
    shared->add(request.text);
    shared->gate.pass();
    return {request.text + "!"};
  }
};

/// Gives what it gets, with another first byte.
struct Turn : Handler {
  using request_type = Parcel;
  using response_type = Parcel;
  Seen* shared = nullptr;

  Parcel handle(Parcel& request) const {
    shared->add("parcel");
    if (!request.bytes.empty()) request.bytes.writable().front() = std::byte{'!'};
    return std::move(request);
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

/// An address of this host that no other process has, as it is made of this one's number.
inline std::string own_host() {
  const auto pid = static_cast<unsigned>(getpid());
  const auto byte = [pid](unsigned shift) { return std::to_string(pid >> shift & 255U); };
  return "127." + byte(16) + "." + byte(8) + "." + byte(0);
}
inline Place own_place() { return Place::tcp(own_host(), 7400); }
inline Place own_place_over_udp() { return Place::udp(own_host(), 7400); }

inline std::string instance_of(char digit) { return std::string(Directory::kIdDigits, digit); }

inline wire::Hello hello_of(const std::string& binary, const std::string& instance) {
  wire::Hello hello;
  hello.project = "test";
  hello.binary = binary;
  hello.instance = instance.substr(0, 16);
  hello.topology = "sha256:0";
  hello.runtime = "0.1.0";
  hello.features =
      wire::kBuffersBeside | wire::kTellsDefinitions | wire::kCallsTogether | wire::kSaysLate;
  hello.largest_body = 1U << 20U;
  return hello;
}

inline Link::Self self_of(wire::Hello hello, std::vector<Wanted> wanted) {
  Link::Self self{std::move(hello), {}, std::move(wanted)};
  self.hello_bytes = wire::write_hello(self.hello);
  return self;
}

/// A process of the binary that is called.
class Ads {
 public:
  /// Listens at `address`, or, with none, where its callers look for it.
  explicit Ads(const Directory& directory, char digit = 'a', std::uint64_t schema = 1,
               const Place* address = nullptr, const Security* security = nullptr,
               wire::Definitions of_echo = {})
      : directory_(directory), instance_(instance_of(digit)) {
    offer<Echo>("Ads/Echo", pool_);
    offer<Gated>("Ads/Gated", binary_.pool(pool_settings("gated", 1, kMostGated)));
    offer<Turn, Parcel>("Ads/Turn", pool_);
    wire::Hello hello = hello_of("ads", instance_);
    hello.services = {{0, "Ads/Echo", schema, 2}, {1, "Ads/Gated", 1, 2}, {2, "Ads/Turn", 3, 3}};
    self_ = self_of(std::move(hello), {});
    self_.definitions = {std::move(of_echo)};
    binary_.start();
    port_ = address == nullptr ? door_.open(directory.publish("ads", instance_))
                               : door_.open(*address, security);
  }
  Ads(const Ads&) = delete;
  Ads& operator=(const Ads&) = delete;
  ~Ads() { close(); }

  void drain() {
    directory_.remove("ads", instance_);
    EXPECT_TRUE(door_.drain(testing::far_from_now()));
  }
  /// That the system gave it; 0: it has none.
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] unsigned guests() const { return door_.guests(); }
  [[nodiscard]] std::uint64_t refused(Refusals::Why why) const {
    return door_.refusals().counted(why);
  }
  /// What was said of those who were.
  [[nodiscard]] std::vector<std::string> said() {
    const std::lock_guard lock(said_mutex_);
    return said_;
  }
  /// Calls of its Echo that ended so.
  [[nodiscard]] std::uint64_t ended(call::Ending how) {
    const call::Implementation& echo = *offers_.front().site.callee->implementations.front();
    return binary_.registry().count(echo.counter_of(how));
  }
  /// Before it is called: nobody but this binary may call it.
  void allow_only(const std::string& binary) {
    for (Offer& offer : offers_) offer.callers = {binary};
  }
  /// As a process that ends.
  void close() {
    seen.gate.open();
    drain();
    binary_.stop();
  }
  /// Threads of the pool that its links and its Echo have; those that go do so when they can.
  void resize(unsigned threads) { static_cast<void>(pool_.resize(threads, 0)); }
  /// As one that is killed: nothing is finished.
  void break_off() { door_.break_off(); }

  Seen seen;

 private:
  template <class H, class M = Word>
  void offer(const std::string& name, exec::Pool& pool) {
    call::Service& service = binary_.service<H>(name, Kind::simple, pool);
    service.implementations.front()->give_extras().shared = &seen;
    Offer& offer = offers_.emplace_back();
    offer.type = &kRemoteType<M, M>;
    offer.site.callee = &service;
    call::enroll(offer.site, binary_.registry());
  }

  const Directory& directory_;
  const std::string instance_;
  std::uint16_t port_ = 0;
  Link::Self self_;
  std::deque<Offer> offers_;
  SmallBinary binary_;
  exec::Pool& pool_ = binary_.pool(pool_settings("ads", 2, 4));
  std::mutex said_mutex_;
  std::vector<std::string> said_;
  Door door_{self_, offers_, pool_, binary_.take_slot(), kPatient, [this](const std::string& text) {
               const std::lock_guard lock(said_mutex_);
               said_.push_back(text);
             }};
};

/// What became of a call: the answer, or the code and the text of its error.
inline std::string end_of(Future<Word> future) {
  try {
    return future.get().text;
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + ": " + error.message();
  }
}

class Calls : public ::testing::Test {
 public:
  Calls() {
    char name[] = "/tmp/penstock-net-XXXXXX";
    folder_ = mkdtemp(name);
    directory = std::make_unique<Directory>(folder_ + "/run");
    peer.binary = "ads";
    peer.self = self_of(hello_of("front", instance_of('f')),
                        {{"Ads/Echo", 1, 2}, {"Ads/Gated", 1, 2}, {"Ads/Turn", 3, 3}});
    peer.directory = directory.get();
    peer.slot = binary.take_slot();
    peer.limits = kPatient;
    peer.patience = 3600 * kSecond;
    echo_record = {.type = &kRemoteType<Word, Word>, .peer = &peer, .outlet = 0};
    gated_record = {.type = &kRemoteType<Word, Word>, .peer = &peer, .outlet = 1};
    call::Service& echo = remote("Ads/Echo", echo_record);
    call::Service& gated = remote("Ads/Gated", gated_record);
    outside_turn = Stub<Parcel, Parcel>(&binary.site(remote("Ads/Turn", turn_record)));
    echo_service = &echo;
    gated_service = &gated;
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
  /// Returns when the one thread has a link to each of so many processes.
  void reach(unsigned processes) {
    binary.start();
    EXPECT_EQ(pool.resize(1, testing::far_from_now() - now_ns()), 1U);
    EXPECT_TRUE(eventually([&] {
      (void)end_of(inside({"warm"}));
      return peer.figures.open == processes;
    }));
  }
  call::Service& remote(const std::string& name, RemoteService& record) {
    call::Service& service =
        binary.service(name, Kind::async_remote, pool, {&remote_implementation()});
    service.thread = call::Service::kWhereCalled;
    service.implementations.front()->give_extras().shared = &record;
    return service;
  }

  std::string folder_;
  std::unique_ptr<Directory> directory;
  Peer peer;
  RemoteService echo_record;
  RemoteService gated_record;
  RemoteService turn_record{.type = &kRemoteType<Parcel, Parcel>, .peer = &peer, .outlet = 2};
  call::Service* echo_service = nullptr;
  call::Service* gated_service = nullptr;
  SmallBinary binary;
  exec::Pool& pool = binary.pool(pool_settings("front", 2));
  exec::Pool& blocking = binary.pool(pool_settings("blocking", 2));
  Stub<Word, Word> outside;
  Stub<Word, Word> outside_gated;
  Stub<Parcel, Parcel> outside_turn;
  Stub<Word, Word> inside;
  Stub<Word, Word> blocking_inside;
};

}  // namespace penstock::net::remote_test
