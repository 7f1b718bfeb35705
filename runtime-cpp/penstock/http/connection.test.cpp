#include "penstock/http/connection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "penstock/base/time.hpp"
#include "penstock/http/connections.hpp"
#include "penstock/http/limits.hpp"
#include "penstock/http/line.hpp"

namespace penstock::http::connection_test {
namespace {

using namespace std::chrono_literals;

/// Has what a peer sends, and notes when its user wants to be woken.
class HeldLine final : public Line {
 public:
  void read(std::span<char> room) override { room_ = room; }
  void write(Pieces pieces) override {
    for (const std::string_view piece : pieces) written += piece;
  }
  void cancel() override {}
  void wake_at(Time time) override { wakes_at = time; }
  void end() override {}
  void close() override {}
  [[nodiscard]] bool is_secured() const noexcept override { return false; }
  [[nodiscard]] bool is_heard() const noexcept override { return true; }
  [[nodiscard]] bool is_here() const noexcept override { return true; }
  void poke() override { user().poked(); }

  void bring(std::string_view bytes) {
    ASSERT_LE(bytes.size(), room_.size());
    std::copy(bytes.begin(), bytes.end(), room_.begin());
    user().received(true, bytes.size());
  }
  void wake() { user().woken(); }

  Time wakes_at;
  std::string written;

 private:
  std::span<char> room_;
};

/// Is slow to ask for an answer.
class SlowConnection final : public Connection {
 public:
  using Connection::Connection;
  std::optional<Nanos> due;
  std::optional<Nanos> late_at;

 private:
  static constexpr Limits::Time kTime = 1ms;
  void on_request(const RequestHead& /*head*/) override {
    const Nanos came = now_ns();
    while (now_ns() < came + to_ns(2ms)) {
    }
    due = answer_due(kTime);
    await_answer(kTime);
  }
  void on_answer_late() override {
    late_at = now_ns();
    reply(refusal({504, "late"}), false);
  }
  [[nodiscard]] Reply refusal(const Denial& denial) const override {
    return {denial.status, "text/plain", denial.reason};
  }
};

TEST(HttpConnection, TellsThatItsTimeIsOverNoSoonerThanWhatServesTheRequestKnows) {
  const Limits limits;
  Connections all;
  auto owned = std::make_unique<HeldLine>();
  HeldLine& line = *owned;
  const auto connection = std::make_shared<SlowConnection>(std::move(owned), limits, all);
  connection->begin();
  line.bring("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  ASSERT_TRUE(connection->due.has_value());
  EXPECT_EQ(to_ns(line.wakes_at.time_since_epoch()), *connection->due);
  line.wake();
  ASSERT_TRUE(connection->late_at.has_value());
  EXPECT_GE(*connection->late_at, *connection->due);
  EXPECT_NE(line.written.find("504"), std::string::npos);
}

}  // namespace
}  // namespace penstock::http::connection_test
