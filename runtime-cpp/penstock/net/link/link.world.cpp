#include "penstock/net/link/link.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "support/two_links.hpp"
#include "world/explore.hpp"
#include "world/random.hpp"

namespace penstock::net::link_world {
namespace {

using namespace penstock::testing::two_links;

Link::Self older_ads() {
  Link::Self self = self_of(hello_of("ads", {{0, "Ads/Get", 1, 2}}), {});
  self.definitions = {{"message 1=text:string\n", "message 1=text:string\n"}};
  return self;
}

const Link::Self kNewerFront = self_of(
    hello_of("front", {}), {{"Ads/Get", 3, 2, {"message 1=text:string 2=more:int32\n", {}}}});
const Link::Self kOlderAds = older_ads();

// A new one, or what was not sent yet of the last one.
void draw_a_row(world::Random& random, Link& link, std::deque<TestRow>& rows) {
  if (rows.empty() || rows.back().unsent == 0 || random.below(2) == 0) {
    std::vector<std::string> requests(1 + random.below(random.below(2) == 0 ? 5 : 64));
    for (std::string& each : requests)
      each = std::to_string(rows.size()) + "/" + std::to_string(&each - requests.data());
    rows.emplace_back(std::move(requests));
  }
  TestRow& row = rows.back();
  std::uint64_t some =
      row.unsent & (random.below(3) == 0 ? 0xFF00FF00FF00FF0FU : ~std::uint64_t{0});
  const std::uint64_t before = some;
  if (link.send(row, some, 0) == Link::Sent::yes) {
    EXPECT_EQ(some, 0U);
  }
  row.unsent &= ~(before & ~some);
}

// Calls, alone and together, answers, cancellations and a break in an order that a seed draws, over
// a wire that brings bytes in pieces and late, between ends of one drawing or of two: each call
// ends once, with its own answer, and no end takes more than it gave credit for.
void draw_a_link(std::uint64_t seed) {
  world::Random random(seed);
  const std::uint32_t window = static_cast<std::uint32_t>(1 + random.below(8));
  const bool was_changed = random.below(2) == 0;
  End front(was_changed ? kNewerFront : kFront, 0);
  front.services = 0;
  End ads(was_changed ? kOlderAds : kAds, 0, window);
  ads.keeps_together = random.below(2) == 0 ? 0 : static_cast<std::uint32_t>(random.below(65));
  Way to_ads(ads.link);
  Way to_front(front.link);
  std::deque<TestCall> calls;
  std::deque<TestRow> rows;
  std::vector<TestCall*> under_way;
  std::size_t cancelled = 0;
  Nanos now = 0;
  const bool breaks = random.below(4) == 0;
  for (int step = 0; step < 400; ++step) {
    now += static_cast<Nanos>(random.below(2'000'000));
    switch (random.below(7)) {
      case 6:
        draw_a_row(random, front.link, rows);
        break;
      case 0:
        calls.emplace_back(std::to_string(calls.size()));
        if (front.link.send(calls.back(), 0, now) == Link::Sent::yes) {
          under_way.push_back(&calls.back());
        } else {
          calls.pop_back();
        }
        break;
      case 1:
        if (!ads.received.empty()) ads.echo(random.below(ads.received.size()));
        if (!ads.rows.empty())
          ads.answer_row(ads.rows[random.below(ads.rows.size())],
                         std::uint64_t{0x10F3} << random.below(50));
        break;
      case 2:
        if (!under_way.empty() && random.below(4) == 0) {
          const std::size_t place = random.below(under_way.size());
          if (under_way[place]->ends == 0) {
            front.link.cancel(*under_way[place]);
            ++cancelled;
          }
          under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(place));
        }
        break;
      case 3:
        to_ads.bring(front.link, random.below(40), now);
        break;
      case 4:
        to_front.bring(ads.link, random.below(40), now);
        break;
      default:
        front.link.look(now);
        ads.link.look(now);
    }
  }
  if (breaks) {
    ads.link.close("the drawn break");
    front.link.close("the drawn break");
  }
  for (int turn = 0; turn < 100; ++turn) {
    to_ads.bring(front.link, now);
    to_front.bring(ads.link, now);
    while (!ads.received.empty()) ads.echo(0);
    for (End::Row& row : ads.rows) ads.answer_row(row, ~std::uint64_t{0});
  }
  ASSERT_LE(ads.most_received, window);
  ASSERT_FALSE(front.link.was_malformed()) << front.link.why();
  ASSERT_FALSE(ads.link.was_malformed()) << ads.link.why();
  ASSERT_TRUE(breaks || (front.link.is_quiet() && ads.link.is_quiet()));
  std::size_t unanswered = 0;
  for (const TestCall& call : calls) {
    ASSERT_LE(call.ends, 1);
    if (call.ends == 0) ++unanswered;
    const bool good = call.ends == 0 || call.end == "answer: " + call.request + "!" ||
                      (breaks && call.end == "lost");
    ASSERT_TRUE(good) << call.request << ' ' << call.end;
  }
  ASSERT_EQ(unanswered, cancelled);
  for (const TestRow& row : rows) {
    for (std::size_t at = 0; at < row.ends.size(); ++at) {
      const std::string& end = row.ends[at];
      const bool was_sent = (row.unsent >> at & 1U) == 0;
      const bool good = end == "answer: " || end == "answer: " + row.requests[at] + "!";
      ASSERT_TRUE(was_sent ? good || (breaks && end == "lost") : end.empty())
          << row.requests[at] << ' ' << end;
    }
  }
}

TEST(LinkDrawn, EndsEachCallOnce) {
  for (const std::uint64_t seed : world::seeds(1'000)) {
    SCOPED_TRACE("PENSTOCK_WORLD_SEED=" + std::to_string(seed));
    draw_a_link(seed);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace penstock::net::link_world
