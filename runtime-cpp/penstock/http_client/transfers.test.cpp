#include "penstock/http_client/transfers.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>

#include "penstock/http_client.hpp"
#include "support/other_side.hpp"
#include "support/small_binary.hpp"

namespace penstock::http_client::transfers_test {
namespace {

std::atomic<bool> g_refuses{false};

}  // namespace
}  // namespace penstock::http_client::transfers_test

/// In front of libcurl's, which has no memory when the test says so.
extern "C" CURLMcode curl_multi_add_handle(CURLM* multi, CURL* easy) {
  using Add = CURLMcode (*)(CURLM*, CURL*);
  static const auto add = reinterpret_cast<Add>(dlsym(RTLD_NEXT, "curl_multi_add_handle"));
  return penstock::http_client::transfers_test::g_refuses ? CURLM_OUT_OF_MEMORY : add(multi, easy);
}

namespace penstock::http_client::transfers_test {
namespace {

Response get(const Client& client, const std::string& url) {
  auto awaiting = client.send(Request("GET", url));
  EXPECT_TRUE(awaiting.await_ready());
  return awaiting.await_resume();
}

// Long before its deadline.
TEST(TransfersTest, AnExchangeThatLibcurlRefusesEndsAtOnce) {
  testing::Other other([](const std::string&) { return testing::ok("x"); });
  const Client client({.timeout = testing::kFar});
  EXPECT_EQ(get(client, other.url()).body, "x");
  g_refuses = true;
  const Error error = testing::error_of([&] { get(client, other.url()); });
  g_refuses = false;
  EXPECT_EQ(error.code(), ErrorCode::unavailable);
  EXPECT_EQ(error.message(), other.url("") + ": it cannot be asked now");
  EXPECT_EQ(get(client, other.url()).body, "x");
}

}  // namespace
}  // namespace penstock::http_client::transfers_test
