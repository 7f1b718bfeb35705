// Calls between binaries, each with its pools and its counters, over real sockets.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/fsuid.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/calls_between.hpp"

namespace penstock::net::remote_test {
namespace {

TEST_F(Calls, ReachAServiceInAnotherBinary) {
  Ads ads(*directory);
  binary.start();
  EXPECT_EQ(end_of(outside({"outside"})), "outside!");
  EXPECT_EQ(end_of(inside({"inside"})), "inside!");
  EXPECT_EQ(end_of(blocking_inside({"blocking"})), "blocking!");
  EXPECT_EQ(ads.seen.came, 3);
  EXPECT_EQ(binary.done(*echo_service), 3U);
}

TEST_F(Calls, ReachAServiceAtAnAddress) {
  const Place place = own_place();
  peer.drawn = Directory::drawn_at(place);
  binary.start();
  Future<Word> early = outside({"early"});
  std::optional<Ads> ads(std::in_place, *directory, 'a', 1, &place);
  EXPECT_EQ(end_of(std::move(early)), "early!");
  EXPECT_EQ(end_of(inside({"inside"})), "inside!");
  // Who comes back at the same place is found again.
  ads.reset();
  ads.emplace(*directory, 'b', 1, &place);
  EXPECT_EQ(end_of(inside({"again"})), "again!");
}

TEST_F(Calls, GoThroughMemoryWhereBothEndsTakeIt) {
  Ads ads(*directory);
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
  EXPECT_EQ(peer.transport(), "shm");
}

TEST_F(Calls, GoThroughTheSocketWhereOneEndTakesNoMemory) {
  peer.through_memory = false;
  Ads ads(*directory);
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
  EXPECT_EQ(peer.transport(), "unix");
  EXPECT_FALSE(peer.figures.in_memory);
}

TEST_F(Calls, SayWhichAddressIsNotReached) {
  const Place place = own_place();
  peer.drawn = Directory::drawn_at(place);
  binary.start();
  const Future<Word> waits = inside({"x"});
  EXPECT_TRUE(eventually([&] {
    return peer.figures.why_down() ==
           "ads cannot be reached: " + place.text() + ": Connection refused";
  }));
}

// Only root can have a thread that is somebody else.
TEST_F(Calls, Fault74GoToNobodyElsesProcess) {
  if (geteuid() != 0) return;
  const Place place = own_place();
  const Descriptor strangers = place.listen();
  std::thread answers([&] {
    setfsuid(65534);
    pollfd ready{.fd = strangers.number(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(poll(&ready, 1, -1), 1);
    const Descriptor caller = accept_from(strangers);
    wire::Hello hello = hello_of("ads", instance_of('a'));
    hello.services = {{0, "Ads/Echo", 1, 2}};
    const std::string bytes = wire::write_hello(hello);
    EXPECT_EQ(send(caller.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
    // Until it is left alone.
    std::string told;
    std::array<char, 4096> some{};
    for (ssize_t count; (count = recv(caller.number(), some.data(), some.size(), 0)) != 0;) {
      pollfd more{.fd = caller.number(), .events = POLLIN, .revents = 0};
      if (count < 0 && (errno != EAGAIN || poll(&more, 1, -1) != 1)) break;
      if (count > 0) told.append(some.data(), static_cast<std::size_t>(count));
    }
    EXPECT_EQ(told.find("secret"), std::string::npos);
  });
  peer.drawn = Directory::drawn_at(place);
  binary.start();
  Future<Word> call = inside({"secret"});
  EXPECT_TRUE(eventually([&] {
    return peer.figures.why_down() ==
           "ads cannot be reached: " + place.text() + ": it is not known to be this user's";
  }));
  answers.join();
}

TEST_F(Calls, Fault73TakeOutWhatADeadProcessLeftBehind) {
  const Place left = directory->publish("ads", std::string(Directory::kIdDigits, 'd'));
  { const Descriptor died = left.listen(); }
  ASSERT_EQ(directory->instances("ads").size(), 1U);
  Ads ads(*directory);
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
  EXPECT_TRUE(eventually([&] { return directory->instances("ads").size() == 1; }));
  EXPECT_EQ(directory->instances("ads").front().id, std::string(Directory::kIdDigits, 'a'));
}

TEST_F(Calls, GetTheErrorOfTheService) {
  Ads ads(*directory);
  binary.start();
  EXPECT_EQ(end_of(inside({"fail"})), "not_found: no such word");
}

TEST_F(Calls, AreRefusedWhoAreNotDrawn) {
  Ads ads(*directory);
  ads.allow_only("others");
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "permission_denied: front is not drawn to call Ads/Echo");
  EXPECT_EQ(end_of(inside({"y"})), "permission_denied: front is not drawn to call Ads/Echo");
  EXPECT_EQ(ads.seen.came, 0);
  EXPECT_EQ(ads.refused(Refusals::Why::not_drawn), 2U);
  EXPECT_EQ(ads.said().at(0), "refused a caller: front is not drawn to call Ads/Echo");
}

TEST_F(Calls, AreTakenWhoAreDrawn) {
  Ads ads(*directory);
  ads.allow_only("front");
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
}

TEST_F(Calls, GoToNoOtherBinary) {
  const Place place = own_place();
  Ads ads(*directory, 'a', 1, &place);
  peer.binary = "models";
  peer.drawn = Directory::drawn_at(place);
  binary.start();
  const Future<Word> waits = inside({"x"});
  EXPECT_TRUE(eventually([&] {
    return peer.figures.why_down() == "models cannot be reached: " + place.text() +
                                          ": it is penstock://test/ads, not penstock://test/models";
  }));
}

TEST_F(Calls, Fault33TakeTheDeadlineAlongAndTellThatNobodyWaits) {
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

TEST_F(Calls, AreTooLateOverThereWhereTheirCallerWaitsNoLonger) {
  Ads ads(*directory);
  binary.start();
  EXPECT_TRUE(eventually([&] {
    static_cast<void>(gather_within(std::chrono::milliseconds(20), outside({"stay"})).get());
    return ads.ended(call::Ending::expired) != 0;
  }));
}

// Or those that are given up, one after the other, would heap up there.
TEST_F(Calls, TakeTheirPlaceOverThereUntilTheyAreOver) {
  Ads ads(*directory);
  gated_service->deadline_ns = kSecond / 50;
  reach(1);
  ads.seen.gate.close();
  const std::string not_taken =
      "deadline_exceeded: call to Ads/Gated: no process of ads took it before its deadline";
  EXPECT_TRUE(eventually([&] { return end_of(outside_gated({"late"})) == not_taken; }));
  ads.seen.gate.open();
  EXPECT_TRUE(eventually([&] { return end_of(outside_gated({"next"})) == "next!"; }));
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
    EXPECT_TRUE(eventually([&] { return figures.round_trips.last() != 0; }));
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

TEST_F(Calls, Fault34WaitForAsLongAsNobodyIsReachedWhereTheirSiteIsPatient) {
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

// A busy machine may come back to the one thread only when the other one has given up by itself.
TEST_F(Calls, SayWhyNobodyTookThemUntilTheirDeadline) {
  echo_service->deadline_ns = kSecond / 10;
  binary.start();
  const std::string nobody =
      "deadline_exceeded: call to Ads/Echo: ads cannot be reached: it is not running, by " +
      directory->folder();
  EXPECT_TRUE(eventually([&] { return end_of(inside({"x"})) == nobody; }));
  EXPECT_TRUE(eventually([&] { return end_of(outside({"x"})) == nobody; }));
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
            "there (0000000000000007, here 0000000000000001)");
}

TEST_F(Calls, AreUnderstoodWhereTheDefinitionHasMoreFields) {
  const std::string answer = "message 1=text:string\n";
  peer.self.wanted[0].definitions = {"message 1=text:string\n", answer};
  Ads ads(*directory, 'a', 7, nullptr, nullptr,
          {"message 1=text:string 2=language:string\n", answer});
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})), "x!");
}

TEST_F(Calls, SayWhichFieldDiffers) {
  peer.self.wanted[0].definitions = {"message 1=text:string\n", "message 1=text:string\n"};
  Ads ads(*directory, 'a', 7, nullptr, nullptr,
          {"message 1=text:bytes\n", "message 1=text:string\n"});
  binary.start();
  EXPECT_EQ(end_of(inside({"x"})),
            "unimplemented: call to Ads/Echo: ads: the request of Ads/Echo has another definition "
            "there (0000000000000007, here 0000000000000001): text is string here and bytes there");
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
