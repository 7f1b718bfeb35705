#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "penstock/app/binding.hpp"
#include "penstock/net/remote/calls/client.hpp"
#include "penstock/net/remote/door/door.hpp"
#include "support/calls_between.hpp"
#include "support/one_flow.hpp"
#include "world/drawn.hpp"
#include "world/sockets.hpp"

/// A binary that calls another one, and processes of that, over the sockets of a world.
namespace penstock::world::peers {

struct Ask {
  std::uint32_t number = 0;
  std::uint32_t key = 0;
  std::uint32_t millis = 0;  ///< that it takes
  std::string text = {};     ///< of its number, and comes back with the answer
};
struct Answer {
  std::uint32_t number = 0;
  std::string text = {};
};

}  // namespace penstock::world::peers

namespace penstock::codec {

template <>
struct Message<world::peers::Ask> {
  using Ask = world::peers::Ask;
  static std::size_t size(const Ask& ask) {
    return codec::size(1, ask.number) + codec::size(2, ask.key) + codec::size(3, ask.millis) +
           codec::size(4, ask.text);
  }
  static void write(Writer& out, const Ask& ask) {
    codec::write(out, 4, ask.text);
    codec::write(out, 3, ask.millis);
    codec::write(out, 2, ask.key);
    codec::write(out, 1, ask.number);
  }
  static bool read(Reader in, Ask& ask) {
    while (in.next()) {
      const bool good = in.tag() == 1   ? codec::read(in, ask.number)
                        : in.tag() == 2 ? codec::read(in, ask.key)
                        : in.tag() == 3 ? codec::read(in, ask.millis)
                        : in.tag() == 4 ? codec::read(in, ask.text)
                                        : (in.skip(), true);
      if (!good) return false;
    }
    return true;
  }
};

template <>
struct Message<world::peers::Answer> {
  using Answer = world::peers::Answer;
  static std::size_t size(const Answer& answer) {
    return codec::size(1, answer.number) + codec::size(2, answer.text);
  }
  static void write(Writer& out, const Answer& answer) {
    codec::write(out, 2, answer.text);
    codec::write(out, 1, answer.number);
  }
  static bool read(Reader in, Answer& answer) {
    while (in.next()) {
      const bool good = in.tag() == 1   ? codec::read(in, answer.number)
                        : in.tag() == 2 ? codec::read(in, answer.text)
                                        : (in.skip(), true);
      if (!good) return false;
    }
    return true;
  }
};

}  // namespace penstock::codec

namespace penstock::world::peers {

inline constexpr Nanos kMs = 1'000'000;
inline constexpr Nanos kSecond = 1'000 * kMs;

/// The services of the binary that is called, by their numbers.
enum Which : std::uint32_t {
  kPlain,
  kAgain,    ///< idempotent
  kDivided,  ///< by the key; a process runs one at a time
  kTimed,    ///< with a deadline
  kServices,
  kStage = kServices,  ///< of a flow: events go there together
  kAll,
};
constexpr std::array<const char*, kAll> kNames{"Ads/Plain", "Ads/Again", "Ads/Divided", "Ads/Timed",
                                               "F.there"};

/// A call, or an event, and what became of it.
struct Made {
  Which which = kPlain;
  std::uint32_t key = 0;
  std::uint32_t burst = 0;  ///< those of one are made one after another by one handler; 0: of none
  bool is_dropped = false;  ///< its caller did not wait for its end
  Nanos at = 0;
  Nanos awaited = 0;  ///< from then on by a handler, which came to it at once; 0: by nobody
  Nanos ended = 0;    ///< for its caller
  bool is_answered = false;
  std::optional<ErrorCode> code = {};
  std::string text = {};
  std::vector<unsigned> ran = {};  ///< in these processes
};

/// What happened in a world. Plain: its threads take turns.
struct Seen {
  std::deque<Made> calls;
  /// Calls in the order in which they began, by process.
  std::map<unsigned, std::vector<std::uint32_t>> begun;
  std::vector<Failure> failures;  ///< of events
  std::uint64_t longest_text = 0;

  [[nodiscard]] std::string text_of(std::uint32_t number) const {
    Random random(number + 1U);
    const auto most = random.one_of<std::uint64_t>({0, 40, longest_text});
    std::string text(random.below(std::min(most, longest_text) + 1), ' ');
    std::uint64_t word = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (at % sizeof word == 0) word = random.next();
      text[at] = static_cast<char>(word >> at % sizeof word * 8);
    }
    return text;
  }
  [[nodiscard]] Ask ask(std::uint32_t number, std::uint32_t key, std::uint32_t millis) const {
    return {number, key, millis, text_of(number)};
  }
  std::uint32_t add(Which which, std::uint32_t key, std::uint32_t burst = 0) {
    calls.push_back({.which = which, .key = key, .burst = burst, .at = now_ns()});
    return static_cast<std::uint32_t>(calls.size() - 1);
  }
  void begins(const Ask& ask, unsigned process) {
    Made& call = calls.at(ask.number);
    EXPECT_EQ(ask.key, call.key);
    EXPECT_TRUE(ask.text == text_of(ask.number)) << ask.number;
    call.ran.push_back(process);
    begun[process].push_back(ask.number);
  }
  void ends(Made& call) {
    EXPECT_EQ(call.ended, 0);
    call.ended = now_ns();
  }
  void ends(std::uint32_t number, const Answer& answer) {
    EXPECT_EQ(answer.number, number);
    EXPECT_TRUE(answer.text == text_of(number)) << number;
    ends(calls.at(number));
    calls[number].is_answered = true;
  }
  void ends(std::uint32_t number, const Error& error) {
    ends(calls[number]);
    calls[number].code = error.code();
    calls[number].text = error.message();
  }
};

/// A request that the service itself says no to.
inline constexpr std::uint32_t kUnlucky = 7;

/// How they talk.
struct Way {
  net::Transport transport = {};
  bool in_memory = false;  ///< through rings, which they agree on over a Unix socket
  /// With keys: those of the binary that calls, and of the other one.
  const net::Security* front = nullptr;
  const net::Security* ads = nullptr;
};

class Process;

/// What a handler does first.
inline void begins(Process& process, const Ask& ask);

struct Quick : Handler {
  using request_type = Ask;
  using response_type = Answer;
  Process* shared = nullptr;
  Answer handle(const Ask& ask) const {
    begins(*shared, ask);
    return {ask.number, ask.text};
  }
};

struct Slow : Handler {
  using request_type = Ask;
  using response_type = Answer;
  Process* shared = nullptr;
  Task<Answer> handle(const Ask& ask) {
    begins(*shared, ask);
    if (ask.millis != 0) co_await sleep_for(std::chrono::milliseconds(ask.millis));
    co_return Answer{ask.number, ask.text};
  }
};

/// The stage of a flow, which goes on with its event.
struct Keep : Handler {
  using request_type = Ask;
  using response_type = void;
  Process* shared = nullptr;
  Verdict handle(Ask& ask) const {
    begins(*shared, ask);
    return Verdict::go_on;
  }
};
struct KeepSlowly : Handler {
  using request_type = Ask;
  using response_type = void;
  Process* shared = nullptr;
  Task<Verdict> handle(Ask& ask) const {
    begins(*shared, ask);
    if (ask.millis != 0) co_await sleep_for(std::chrono::milliseconds(ask.millis));
    co_return Verdict::go_on;
  }
};

/// A process of the binary that is called.
class Process {
 public:
  static std::uint16_t port_of(unsigned number) { return static_cast<std::uint16_t>(number); }

  /// `is_older`: it does not know some of the services as they are now.
  Process(Random& random, Seen& seen, const net::Link::Limits& limits, const Way& way,
          unsigned number, bool is_older)
      : seen_(seen),
        number_(number),
        limits_(limits),
        instance_{instance_id(random), place_of(number, way)},
        pool_(binary_.pool(drawn_pool(random, "ads", 2))),
        queued_(binary_.pool(drawn_pool(random, "queued", 2))) {
    net::wire::Hello hello = net::remote_test::hello_of("ads", instance_.id);
    for (std::uint32_t which = 0; which < kServices; ++which) {
      const Kind kind = which == kDivided ? Kind::single_threaded : Kind::simple;
      if (random.once_in(2)) {
        offer<Quick>(random, which, kind, net::kRemoteType<Ask, Answer>);
      } else {
        offer<Slow>(random, which, kind, net::kRemoteType<Ask, Answer>);
      }
    }
    if (random.once_in(2)) {
      offer<Keep>(random, kStage, Kind::simple, net::kStageType<net::StageGives::event, Keep>);
    } else {
      offer<KeepSlowly>(random, kStage, Kind::simple,
                        net::kStageType<net::StageGives::event, KeepSlowly>);
    }
    for (std::uint32_t which = 0; which < kAll; ++which) {
      const std::uint64_t schema = is_older && random.once_in(2) ? 9 : 1;
      hello.services.push_back({static_cast<std::uint16_t>(which), kNames[which], schema, 2});
    }
    self_ = net::remote_test::self_of(std::move(hello), {});
    binary_.start();
    door_.open(instance_.place, way.ads);
  }
  bool ill = false;  ///< all calls fail

  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() = default;

  [[nodiscard]] const net::Directory::Instance& instance() const noexcept { return instance_; }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_of(number_); }
  [[nodiscard]] unsigned guests() const noexcept { return door_.guests(); }
  void begins(const Ask& ask) {
    seen_.begins(ask, number_);
    if (ill) throw Error(ErrorCode::internal, "ill");
    if (ask.millis == kUnlucky) throw Error(ErrorCode::not_found, "unlucky");
  }
  void resize(unsigned threads) { pool_.resize(threads, testing::far_from_now() - now_ns()); }
  void break_off() { door_.break_off(); }
  void drain() { EXPECT_TRUE(door_.drain(testing::far_from_now())); }
  /// After drain(), once nobody is connected.
  void stop() {
    binary_.stop();
    EXPECT_EQ(guests(), 0U);
    for (const net::Offer& offer : offers_) {
      const call::Service& service = *offer.site.callee;
      EXPECT_EQ(service.done_count(), service.sent_count()) << service.name.str();
    }
  }

 private:
  static net::Place place_of(unsigned number, const Way& way) {
    return way.in_memory ? net::Place::unix_socket(std::to_string(port_of(number)))
                         : net::Place::ip("127.0.0.1", port_of(number), way.transport);
  }
  static std::string instance_id(Random& random) {
    std::string id;
    for (std::size_t digit = 0; digit < net::Directory::kIdDigits; ++digit)
      id += "0123456789abcdef"[random.below(16)];
    return id;
  }

  template <class H>
  void offer(Random& random, std::uint32_t which, Kind kind, const net::RemoteType& type) {
    exec::Pool& pool = random.once_in(2) ? pool_ : queued_;
    call::Service& service = binary_.service<H>(kNames[which], kind, pool);
    service.implementations.front()->give_extras().shared = this;
    net::Offer& offer = offers_.emplace_back();
    offer.type = &type;
    offer.site.callee = &service;
    call::enroll(offer.site, binary_.registry());
  }

  Seen& seen_;
  const unsigned number_;
  const net::Link::Limits limits_;
  net::Directory::Instance instance_;
  net::Link::Self self_;
  std::deque<net::Offer> offers_;
  testing::SmallBinary binary_;
  exec::Pool& pool_;
  exec::Pool& queued_;
  net::Door door_{self_, offers_, pool_, binary_.take_slot(), limits_};
};

inline void begins(Process& process, const Ask& ask) { process.begins(ask); }

/// Which processes there are, as somebody tells the one that calls.
class Listed final : public net::Finder {
 public:
  Listed(bool all, net::Transport how) : all_(all), how_(how) {}
  [[nodiscard]] std::vector<net::Directory::Instance> instances() override { return list; }
  [[nodiscard]] bool lists_all() const noexcept override { return all_; }
  [[nodiscard]] std::string why_none() const override { return "none is listed"; }
  [[nodiscard]] net::Transport transport() const noexcept override { return how_; }

  std::vector<net::Directory::Instance> list;

 private:
  const bool all_;
  const net::Transport how_;
};

using Stubs = std::array<Stub<Ask, Answer>, kServices>;

/// Makes `millis` calls of the service that its number says, one behind the other, and waits for
/// them.
struct Bursts : Handler {
  using request_type = Ask;
  using response_type = Answer;
  struct Shared {
    Seen* seen = nullptr;
    Random* random = nullptr;
    Stubs* stubs = nullptr;
    std::uint32_t bursts = 0;
  };
  Shared* shared = nullptr;
  Task<Answer> handle(const Ask& ask) {
    Seen& seen = *shared->seen;
    const std::uint32_t burst = ++shared->bursts;
    const bool lingers = shared->random->once_in(2);
    const auto takes = shared->random->one_of<std::uint32_t>({0, 0, 0, 1, 100, 700});
    std::vector<std::pair<std::uint32_t, Future<Answer>>> open;
    for (std::uint32_t call = 0; call < ask.millis; ++call) {
      const auto which = static_cast<Which>(ask.number);
      const std::uint32_t number = seen.add(which, ask.key, burst);
      open.emplace_back(number, (*shared->stubs)[which](seen.ask(number, ask.key, takes)));
      if (shared->random->once_in(16)) {
        seen.calls[open.back().first].is_dropped = true;
        open.pop_back();
      }
      if (lingers && shared->random->once_in(4))
        co_await sleep_for(std::chrono::milliseconds(shared->random->between(0, 50)));
    }
    for (const auto& [number, future] : open) seen.calls[number].awaited = now_ns();
    for (auto& [number, future] : open) {
      try {
        seen.ends(number, co_await future);
      } catch (const Error& error) {
        seen.ends(number, error);
      }
    }
    co_return Answer{burst};
  }
};

/// Keeps its thread for so many `millis`.
struct Computes : Handler {
  using request_type = Ask;
  using response_type = Answer;
  Answer handle(const Ask& ask) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(ask.millis));
    return {ask.number};
  }
};

/// The last stage of the flow, and who gets what failed.
struct Arrives : Handler {
  using request_type = Ask;
  using response_type = void;
  Seen* shared = nullptr;
  void handle(const Ask& ask) const { shared->ends(ask.number, Answer{ask.number, ask.text}); }
};
struct Fails : Handler {
  using request_type = Failure;
  using response_type = void;
  Seen* shared = nullptr;
  void handle(const Failure& failure) const { shared->failures.push_back(failure); }
};

/// The binary that calls, with a flow of which the other one runs a stage.
class Front {
 public:
  Front(Random& random, Seen& seen, const net::Link::Limits& limits, const Way& way = {})
      : seen_(seen), pool_(one_.binary.pool(drawn_pool(random, "front", 2))) {
    auto listed = std::make_unique<Listed>(random.once_in(2), way.transport);
    listed_ = listed.get();
    peer_.binary = "ads";
    peer_.finder = std::move(listed);
    peer_.slot = one_.binary.take_slot();
    peer_.limits = limits;
    peer_.security = way.front;
    peer_.is_resolved = random.once_in(4);
    std::vector<net::Wanted> wanted;
    for (const char* const name : kNames) wanted.push_back({name, 1, 2});
    peer_.self = net::remote_test::self_of(
        net::remote_test::hello_of("front", std::string(16, 'f')), std::move(wanted));
    deadline = random.one_of<Nanos>({20 * kMs, 300 * kMs, 3 * kSecond});
    for (std::uint32_t which = 0; which < kServices; ++which) {
      call::Service& service = reach(which, net::kRemoteType<Ask, Answer>);
      if (which == kTimed) service.deadline_ns = deadline;
      stubs[which] = Stub<Ask, Answer>(&one_.binary.site(service));
    }
    records_[kDivided].type = &net::kRemoteType<Ask, Answer, &Ask::key>;
    records_[kAgain].idempotent = true;
    events_again = records_[kStage].idempotent = random.once_in(2);
    add_flow();
    in_ = {&seen, &random, &stubs};
    call::Service& burst = one_.binary.service<Bursts>("Bursts", Kind::simple, pool_);
    burst.implementations.front()->give_extras().shared = &in_;
    bursts = Stub<Ask, Answer>(&one_.binary.site(burst));
    computes = Stub<Ask, Answer>(
        &one_.binary.site(one_.binary.service<Computes>("Computes", Kind::simple, pool_)));
    one_.start();
  }
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;
  ~Front() = default;

  [[nodiscard]] const net::Peer& peer() const noexcept { return peer_; }
  void resize(unsigned threads) { pool_.resize(threads, testing::far_from_now() - now_ns()); }
  void list(const Process& process) { listed_->list.push_back(process.instance()); }
  void unlist(const Process& process) {
    std::erase_if(listed_->list,
                  [&process](const auto& each) { return each.id == process.instance().id; });
  }
  /// So many events, one after another.
  void push(std::uint32_t events, std::uint32_t millis) {
    struct Push : exec::Job {
      Front* front = nullptr;
      std::vector<Ask> events;
    };
    auto push = std::make_unique<Push>();
    push->front = this;
    for (std::uint32_t event = 0; event < events; ++event)
      push->events.push_back(seen_.ask(seen_.add(kStage, 0), 0, millis));
    push->run = [](exec::Job& job) noexcept {
      const std::unique_ptr<Push> self(&static_cast<Push&>(job));
      for (const Ask& event : self->events) self->front->one_.flow.push(event);
    };
    pushed_ += events;
    pool_.worker(0).post(*push.release());
  }
  /// Those of calls that were dropped, too.
  void wait_until_done() {
    while (one_.emitted() != pushed_ || !one_.all_ended())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (const call::Service* const service : services_) {
      while (service->done_count() != service->sent_count())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  void stop() {
    EXPECT_EQ(peer_.figures.waiting, 0U);
    peer_.stops = true;
    one_.binary.stop();
    EXPECT_EQ(peer_.figures.open, 0U);
  }

  Nanos deadline = 0;  ///< of kTimed
  Stubs stubs;
  Stub<Ask, Answer> bursts;
  Stub<Ask, Answer> computes;
  bool events_again = false;  ///< they may run twice

 private:
  call::Service& reach(std::uint32_t which, const net::RemoteType& type) {
    records_[which] = {.type = &type, .peer = &peer_, .outlet = which};
    call::Service& service = one_.binary.service(kNames[which], Kind::async_remote, pool_,
                                                 {&net::remote_implementation()});
    service.thread = call::Service::kWhereCalled;
    service.implementations.front()->give_extras().shared = &records_[which];
    services_[which] = &service;
    return service;
  }
  void add_flow() {
    using Stage = app::RemoteSideEffect<Ask>;
    one_.stage<flow::Role::side_effect, Stage>("there", Kind::async_remote, pool_, nullptr);
    flow::Stage& there = one_.flow.stages().back();
    const std::uint32_t at_there = there.index;
    const call::CallSite& site =
        one_.binary.site(reach(kStage, net::kRemoteType<Ask, Stage::Answer>));
    there.service->implementations.front()->give_extras().wiring.push_back(
        call::wire_to(&Stage::calls_type::there, &site));
    rows_.emplace(*app::kRowsOf<Stage>, site);
    there.afar = &*rows_;
    peer_.patient = {&site};
    add_last<flow::Role::side_effect, Arrives>("arrives");
    add_last<flow::Role::catch_failure, Fails>("fails");
    one_.flow.stages().back().after = {at_there};
  }
  template <flow::Role role, class H>
  void add_last(const char* name) {
    one_.stage<role, H>(name, Kind::simple, pool_, nullptr);
    one_.flow.stages().back().service->implementations.front()->give_extras().shared = &seen_;
  }

  Seen& seen_;
  net::Peer peer_;
  Listed* listed_ = nullptr;
  std::array<net::RemoteService, kAll> records_;
  std::array<call::Service*, kAll> services_{};
  std::optional<net::RowStage> rows_;
  Bursts::Shared in_;
  std::uint32_t pushed_ = 0;
  testing::OneFlow one_;
  exec::Pool& pool_;
};

}  // namespace penstock::world::peers
