#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "penstock/net/socket/datagram_greeting.hpp"
#include "penstock/net/socket/rings.hpp"
#include "world/peers.hpp"

/// What is drawn of a binary that calls another one, of the processes of that and of the network,
/// and what the design says of how calls end there.
namespace penstock::world::peers {

/// What may happen to the processes.
struct Fate {
  bool breaks = false;  ///< of their links
  bool kills = false;
  bool hangs = false;
  bool drains = false;
  bool ills = false;     ///< they fail all calls for a while
  bool resizes = false;  ///< of pools of both ends
  bool refuses = false;
  bool steady = false;  ///< one of them has none of that
  /// What they say is changed on its way now and then, and some datagrams are of somebody else.
  bool forged = false;
  /// In datagrams some get lost, and others overtake each other.
  Way way = {};
};

class Drawn {
 public:
  Drawn(World& world, const Fate& fate) : fate_(fate), random_(world.random()), sockets_(random_) {
    if (is_prompt_) world.keep_nobody_waiting();
    if (is_udp()) sockets_.lose_some();
    if (fate_.forged && is_udp()) sockets_.forge_some();
    if (fate_.forged && !is_udp()) sockets_.change_some();
    if (fate_.forged) seen_.longest_text = kSomeDatagrams;
    if (fate_.way.in_memory) {
      seen_.longest_text = random_.one_of<std::uint64_t>({0, 3 * net::Rings::kCapacity});
      sockets_.make_room(kBytesTold);
    }
    // A handshake in time, where a link is given up that takes long.
    if (fate_.way.transport.secured && gives_up()) sockets_.make_room(kHandshakeRoom);
    for (auto& place : places_) {
      if (place == nullptr && !random_.once_in(3)) come(place);
    }
    if (places_.front() == nullptr && is_one_there()) come(places_.front());
  }

  /// Until all callers have what they wanted, and all is taken down.
  void run() {
    for (int caller = random_.between(1, 3); caller > 0; --caller) {
      callers_.add([this, calls = random_.between(1, 6)] { call(calls); });
    }
    if (random_.once_in(2)) {
      callers_.add([this, times = random_.between(1, 5)] { push(times); });
    }
    const int pace = random_.one_of({10, 100, 600, 3000});
    for (int event = random_.between(0, 10); event > 0; --event) {
      linger(pace);
      happen();
    }
    // Events wait for somebody, however long, and callers for the room that those have.
    if (std::none_of(places_.begin(), places_.end(),
                     [](const Held& each) { return each != nullptr; }))
      come(places_.front());
    callers_.join();
    front_->wait_until_done();
    front_->stop();
    front_.reset();
    for (auto& place : places_) {
      if (place != nullptr) goes(std::move(place));
    }
    leavers_.join();
    EXPECT_EQ(sockets_.open(), 0U);
    if (fate_.way.in_memory) {
      EXPECT_LT(now_ns() - begun_, kLongestWorld);
    }
    check();
  }

 private:
  static constexpr std::size_t kHandshakeRoom = 1024;
  static constexpr std::uint64_t kSomeDatagrams = 4'000;
  /// Far more than an end of rings is told while it is awake.
  static constexpr std::size_t kBytesTold = 4096;
  static constexpr Nanos kPatience = 2 * kSecond;
  /// After so many in a row the pauses before the next try are shorter than that, together.
  static constexpr unsigned kFewBreaks = 4;
  static constexpr Nanos kPromptly = 20 * kMs;
  /// Where nobody hangs no link is given up because a thread had no processor for long.
  static constexpr net::Link::Limits kPatient{
      .greet = 3600 * kSecond, .silence = kSecond, .lost = 3600 * kSecond};

  /// Of those in memory each is told of all, and no ping wakes them up.
  static constexpr net::Link::Limits kTold{
      .greet = 3600 * kSecond, .silence = 3600 * kSecond, .lost = 3600 * kSecond};
  /// In which all comes to an end where no one waits for such a ping.
  static constexpr Nanos kLongestWorld = 600 * kSecond;

  void linger(int most_millis) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random_.between(0, most_millis)));
  }

  // --- those who call ---

  void end(std::uint32_t number, Future<Answer>& future) {
    try {
      seen_.ends(number, future.get());
    } catch (const Error& error) {
      seen_.ends(number, error);
    }
  }
  void call(int calls) {
    std::deque<std::pair<std::uint32_t, Future<Answer>>> open;
    for (int call = 0; call < calls; ++call) {
      const auto which = static_cast<Which>(random_.below(kServices));
      const auto key = static_cast<std::uint32_t>(random_.below(3));
      if (random_.once_in(3)) {
        const std::uint32_t size = 1 + static_cast<std::uint32_t>(random_.below(12));
        static_cast<void>(front_->bursts({which, key, size}).get());
        continue;
      }
      const std::uint32_t number = seen_.add(which, key);
      const auto millis = random_.one_of<std::uint32_t>({0, 0, 1, kUnlucky, 40, 900, 4000});
      open.emplace_back(number, front_->stubs[which](seen_.ask(number, key, millis)));
      if (random_.once_in(6)) {
        if (random_.once_in(2)) linger(20);
        seen_.calls[open.front().first].is_dropped = true;
        open.pop_front();
      } else if (random_.once_in(2)) {
        end(open.front().first, open.front().second);
        open.pop_front();
      }
      if (random_.once_in(3)) linger(400);
    }
    for (auto& [number, future] : open) end(number, future);
  }

  void push(int times) {
    for (; times > 0; --times) {
      const auto events =
          1 + static_cast<std::uint32_t>(random_.below(random_.one_of<std::uint64_t>({3, 70})));
      front_->push(events, random_.one_of<std::uint32_t>({0, 0, 0, 1, kUnlucky, 300}));
      if (random_.once_in(2)) linger(random_.one_of({1, 600}));
    }
  }

  // --- what happens to the others ---

  using Held = std::unique_ptr<Process>;
  void come(Held& place) {
    place = std::make_unique<Process>(random_, seen_, limits_, fate_.way, ++processes_,
                                      fate_.refuses && random_.once_in(2));
    front_->list(*place);
  }
  /// Without its name in the list, or with it for a while.
  void goes(Held process) {
    leavers_.add([this, process = std::shared_ptr<Process>(std::move(process)),
                  is_listed = random_.once_in(3)] {
      if (front_ != nullptr && !is_listed) front_->unlist(*process);
      process->drain();
      while (process->guests() != 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      process->stop();
      if (front_ != nullptr) front_->unlist(*process);
    });
  }
  // One that is silent for long is given up by who has nothing under way over it: what the other
  // one had sent meanwhile is lost.
  void hang(const Process& process) {
    const Nanos time = random_.between(1, 6000) * kMs;
    if (time >= kSecond) ++lost_;
    sockets_.hold(process.port(), now_ns() + time);
  }
  /// All the time, though links to it may break.
  [[nodiscard]] bool is_one_there() const {
    if (is_udp() || fate_.forged) return false;  // who connects may have to ask again, and again
    return fate_.steady || !(fate_.kills || fate_.hangs || fate_.drains || breaks_ > kFewBreaks);
  }
  /// Links that may have been lost; where they are given up, also as a thread had no processor.
  [[nodiscard]] unsigned lost() const {
    return sockets_.broken() + lost_ + (gives_up() ? 1U : 0U) + sockets_.changed() +
           forged_greetings();
  }
  /// A link is given up that nothing comes over.
  [[nodiscard]] bool gives_up() const { return fate_.hangs || (fate_.forged && !is_udp()); }
  [[nodiscard]] bool is_udp() const { return fate_.way.transport.udp; }
  /// By these alone somebody may end a link that he has no part in; with keys, by those of them
  /// alone that say so and have its number.
  [[nodiscard]] unsigned forged_greetings() const {
    const auto& forged = sockets_.forged();
    return static_cast<unsigned>(
        std::count_if(forged.begin(), forged.end(), [this](const auto& each) {
          const auto greeting = net::DatagramGreeting::read(each);
          return greeting && (!fate_.way.transport.secured ||
                              greeting->kind == net::DatagramGreeting::Kind::gone);
        }));
  }
  void happen() {
    is_quiet_ = false;
    const std::size_t first = fate_.steady ? 1 : 0;
    if (first == places_.size()) return;
    Held& place = places_[first + random_.below(places_.size() - first)];
    if (place == nullptr) return come(place);
    std::vector<std::function<void()>> can;
    const auto may = [&can](bool is, std::function<void()> what) {
      if (is) can.push_back(std::move(what));
    };
    may(fate_.breaks, [&] { break_links(*place); });
    may(fate_.kills, [&] {
      sockets_.kill(place->port());
      goes(std::move(place));
    });
    may(fate_.hangs, [&] { hang(*place); });
    may(fate_.drains, [&] { goes(std::move(place)); });
    may(fate_.ills, [&] { place->ill = !place->ill; });
    may(fate_.resizes, [&] { place->resize(drawn_size()); });
    may(fate_.resizes, [&] { front_->resize(drawn_size()); });
    if (!can.empty()) can[random_.below(can.size())]();
  }
  unsigned drawn_size() { return static_cast<unsigned>(random_.between(1, 3)); }
  void break_links(Process& process) {
    ++breaks_;
    // Of those of a host none breaks that both ends have.
    if (!fate_.way.in_memory && random_.once_in(2)) return sockets_.break_links(process.port());
    ++lost_;
    process.break_off();
  }

  // --- what has become of it all ---

  void check() {
    for (std::size_t number = 0; number < seen_.calls.size(); ++number) {
      const Made& call = seen_.calls[number];
      SCOPED_TRACE(std::string(kNames[call.which]) + " " + std::to_string(number) + ": " +
                   call.text);
      check(call);
    }
    check_events();
    check_order();
    check_places();
  }
  void check(const Made& call) {
    if (is_prompt_ && call.which == kTimed && call.awaited != 0) {
      EXPECT_LE(call.ended, std::max(call.at + deadline_, call.awaited) + kPromptly);
    }
    const bool is_sent_again = lost() != 0 && may_run_twice(call);
    const std::size_t most = is_sent_again ? 1 + net::Client::kSentAgain : 1;
    EXPECT_LE(call.ran.size(), most);
    if (call.is_dropped || call.which == kStage) return;
    EXPECT_NE(call.ended, 0);
    if (call.is_answered) {
      EXPECT_FALSE(call.ran.empty());
      return;
    }
    if (!call.code) return;
    switch (*call.code) {
      case ErrorCode::not_found:
        EXPECT_FALSE(call.ran.empty());
        break;
      case ErrorCode::deadline_exceeded:
        EXPECT_EQ(call.which, kTimed);
        EXPECT_GE(call.ended - call.at, deadline_ * 7 / 8 - kMs);
        break;
      case ErrorCode::internal:
        EXPECT_TRUE(fate_.ills);
        break;
      case ErrorCode::unimplemented:
        EXPECT_TRUE(fate_.refuses);
        break;
      case ErrorCode::unavailable:
        check_unavailable(call);
        break;
      default:
        ADD_FAILURE() << to_string(*call.code);
    }
  }
  [[nodiscard]] bool may_run_twice(const Made& call) const {
    return call.which == kAgain || (call.which == kStage && events_again_);
  }
  // Each arrives once or fails; it does not fail because nobody is there.
  void check_events() {
    const auto is_missing = [](const Made& call) {
      return call.which == kStage && !call.is_answered;
    };
    const auto missing = std::count_if(seen_.calls.begin(), seen_.calls.end(), is_missing);
    EXPECT_EQ(static_cast<std::size_t>(missing), seen_.failures.size());
    for (const Failure& failure : seen_.failures) {
      const ErrorCode code = failure.code;
      const bool is_meant = code == ErrorCode::not_found ||
                            (code == ErrorCode::internal && fate_.ills) ||
                            (code == ErrorCode::unimplemented && fate_.refuses) ||
                            (code == ErrorCode::unavailable && lost() != 0);
      EXPECT_TRUE(is_meant) << to_string(code) << ": " << failure.message;
    }
  }
  void check_unavailable(const Made& call) {
    if (call.text.find("it may have been run") != std::string::npos) {
      EXPECT_GT(lost(), call.which == kAgain ? net::Client::kSentAgain : 0U);
      return;
    }
    // It waited for somebody who would take it.
    EXPECT_NE(call.text.find("cannot be reached"), std::string::npos);
    EXPECT_FALSE(is_prompt_ && is_one_there());
    EXPECT_GE(call.ended - call.at, kPatience);
    EXPECT_TRUE(call.which == kAgain || call.ran.empty());
  }
  // Those that one handler made begin in their order in a process that nothing came between.
  void check_order() {
    if (lost() != 0) return;
    for (const auto& [process, begun] : seen_.begun) {
      std::map<std::uint32_t, std::uint32_t> last;
      for (const std::uint32_t number : begun) {
        const Made& call = seen_.calls[number];
        if (call.which != kDivided || call.burst == 0) continue;
        std::uint32_t& before = last[call.burst];
        EXPECT_LE(before, number) << "in process " << process;
        before = number;
      }
    }
  }

  // Each value has its process, from the first call on.
  void check_places() {
    // Who is asked in vain for long, as others are lost, is done without.
    if (!is_quiet_ || fate_.refuses || is_udp() || fate_.forged) return;
    std::map<std::uint32_t, unsigned> place_of;
    for (const Made& call : seen_.calls) {
      if (call.which != kDivided || call.ran.empty()) continue;
      EXPECT_EQ(place_of.try_emplace(call.key, call.ran.front()).first->second, call.ran.front());
    }
  }

  const Fate fate_;
  Random& random_;
  Sockets sockets_;
  const net::Link::Limits limits_ = gives_up()            ? net::Link::Limits{}
                                    : fate_.way.in_memory ? kTold
                                                          : kPatient;
  const Nanos begun_ = now_ns();
  const bool is_prompt_ = random_.once_in(2);
  Seen seen_;
  std::unique_ptr<Front> front_ = std::make_unique<Front>(random_, seen_, limits_, fate_.way);
  std::vector<Held> places_ = std::vector<Held>(1 + random_.below(3));
  unsigned processes_ = 0;
  unsigned breaks_ = 0;  // times
  unsigned lost_ = 0;
  bool is_quiet_ = true;  // nothing happened to any of them
  const Nanos deadline_ = front_->deadline;
  const bool events_again_ = front_->events_again;
  Crowd leavers_;
  Crowd callers_;
};

}  // namespace penstock::world::peers
