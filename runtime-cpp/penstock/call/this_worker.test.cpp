// What a handler is told about the thread that it runs on.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "support/small_binary.hpp"

namespace penstock::call::this_worker_test {
namespace {

using testing::pool_settings;
using testing::SmallBinary;

struct Asked {
  std::string made_in;
  unsigned made_on = 0;
  std::string ran_in;
  unsigned ran_on = 0;
  int cpu = -1;
};

/// Answers where it was made, and where it runs.
struct Where : Handler {
  using request_type = Asked;
  using response_type = Asked;
  Asked handle(const Asked& /*asked*/) const {
    const ThisWorker now = this_worker().value_or(ThisWorker{});
    return {std::string(made.pool), made.thread, std::string(now.pool), now.thread, now.cpu};
  }
  ThisWorker made = this_worker().value_or(ThisWorker{});
};

TEST(ThisWorker, IsKnownToAHandlerAndToWhatItConsistsOf) {
  SmallBinary binary;
  auto& pool = binary.pool(pool_settings("models", 3));
  call::Service& service = binary.service<Where>("Where", Kind::simple, pool);
  service.thread = 2;
  pool.keep_thread(2);
  Stub<Asked, Asked> where(&binary.site(service));
  binary.start();
  const Asked answer = where({}).get();
  EXPECT_EQ(answer.made_in, "models");
  EXPECT_EQ(answer.ran_in, "models");
  EXPECT_EQ(answer.made_on, 2U);
  EXPECT_EQ(answer.ran_on, 2U);
  EXPECT_GE(answer.cpu, 0);
}

// As docs/handlers.md has it.
struct Model {
  std::optional<penstock::ThisWorker> home = penstock::this_worker();  // none off the pools

  std::string name() const {  // models-2
    return home ? std::string(home->pool) + "-" + std::to_string(home->thread) : "nobody";
  }
};

/// Answers with the name of the model that it consists of.
struct Named : Handler {
  using request_type = Asked;
  using response_type = Asked;
  Asked handle(const Asked& /*asked*/) const {
    Asked answer;
    answer.made_in = model.name();
    return answer;
  }
  Model model;
};

TEST(ThisWorker, IsKnownToAMemberOfAHandler) {
  SmallBinary binary;
  auto& pool = binary.pool(pool_settings("models", 1));
  Stub<Asked, Asked> named(&binary.site(binary.service<Named>("Named", Kind::simple, pool)));
  binary.start();
  EXPECT_EQ(named({}).get().made_in, "models-0");
}

TEST(ThisWorker, IsNoneOnAThreadOfNoPool) { EXPECT_EQ(this_worker(), std::nullopt); }

}  // namespace
}  // namespace penstock::call::this_worker_test
