// What becomes of exchanges for which there is no memory: each ends, with an error that says so.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <utility>

#include "penstock/http_client.hpp"
#include "penstock/http_client/transfers.hpp"
#include "support/on_io_thread.hpp"
#include "support/other_side.hpp"
#include "support/replaced_new.hpp"
#include "support/small_binary.hpp"

namespace penstock::http_client::no_memory_test {
namespace {

using testing::eventually;
using testing::ok;
using testing::on_io_thread;
using testing::Other;
using testing::t_fails_at;
using testing::t_no_memory;

struct NoMemory : ::testing::Test {
  const std::shared_ptr<Transfers> transfers =
      std::make_shared<Transfers>(ClientSettings{.timeout = testing::kFar});
  ~NoMemory() override { transfers->close(); }

  static std::shared_ptr<Exchange> exchange(const std::string& url) {
    auto made = std::make_shared<Exchange>(Request("GET", url));
    made->deadline_ns = testing::far_from_now();
    return made;
  }
  /// Whether an exchange failed during which the I/O thread got no memory, at the `at`th time.
  [[nodiscard]] bool failed(const std::string& url, std::uint64_t at) const {
    const auto asked = exchange(url);
    on_io_thread([at] { t_fails_at = at; });
    transfers->start(asked);
    asked->arrived.wait(false);
    std::uint64_t left = 0;
    on_io_thread([&left] { left = std::exchange(t_fails_at, 0); });
    const bool failed = asked->error.has_value();
    EXPECT_EQ(failed, at != 0 && left == 0) << at;
    if (failed) {
      EXPECT_NE(asked->error->code(), ErrorCode::deadline_exceeded) << at;
    } else {
      EXPECT_EQ(asked->response.body, "hello") << at;
    }
    return failed;
  }
};

TEST_F(NoMemory, EachAllocationThatFailsOnTheIoThreadEndsTheExchange) {
  Other other([](const std::string&) { return ok("hello"); }, true);
  std::uint64_t at = 1;
  while (failed(other.url(), at)) ++at;
  EXPECT_GT(at, 4U);  // the transfer, its place, its socket's, the answer
}

// Where its socket's place is what fails, libcurl gives all up that is under way.
TEST_F(NoMemory, OneWhoseConnectionCannotBeWatchedEndsTheOthersAtOnceToo) {
  std::atomic<bool> let{false};
  Other other(
      [&let](const std::string& request) {
        if (request.starts_with("GET /held")) let.wait(false);
        return ok("hello");
      },
      true);
  const auto held = exchange(other.url("/held"));
  transfers->start(held);
  EXPECT_TRUE(eventually([&] { return !other.requests().empty(); }));
  for (std::uint64_t at = 1; !held->arrived; ++at) ASSERT_TRUE(failed(other.url(), at));
  EXPECT_EQ(held->error.value().code(), ErrorCode::unavailable);
  EXPECT_FALSE(failed(other.url(), 0));
  let = true;
  let.notify_all();
}

TEST_F(NoMemory, StartingAndCancellingTakeNone) {
  std::atomic<bool> let{false};
  Other other([&](const std::string&) {
    let.wait(false);
    return ok("late");
  });
  const auto asked = exchange(other.url());
  t_no_memory = true;
  transfers->start(asked);
  t_no_memory = false;
  EXPECT_TRUE(eventually([&] { return !other.requests().empty(); }));
  t_no_memory = true;
  transfers->cancel(asked);
  t_no_memory = false;
  asked->arrived.wait(false);
  EXPECT_EQ(asked->error->code(), ErrorCode::cancelled);
  let = true;
  let.notify_all();
}

}  // namespace
}  // namespace penstock::http_client::no_memory_test
