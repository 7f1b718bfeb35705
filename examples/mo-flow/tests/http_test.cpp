#include <gtest/gtest.h>

#include <penstock/service.hpp>
#include <thread>
#include <vector>

#include "shared/http_client.hpp"
#include "shared/responder.hpp"

namespace {

using namespace std::chrono_literals;

TEST(Http, AnswersManyClientsOverKeptConnections) {
  sample::Responder responder(1ms);
  std::vector<std::thread> clients;
  for (int index = 0; index < 6; ++index)
    clients.emplace_back([&responder] {
      sample::HttpClient client;
      for (int request = 0; request < 20; ++request)
        EXPECT_EQ(client.post(responder.port(), "/quiz", std::string(5'000, 'x')), 200);
    });
  for (auto& client : clients) client.join();
  EXPECT_EQ(responder.answered(), 120U);
}

TEST(Http, SaysThatNobodyListensAndConnectsAgainLater) {
  sample::HttpClient client;
  std::uint16_t port = 0;
  {
    sample::Responder responder(1ms);
    port = responder.port();
    EXPECT_EQ(client.post(port, "/quiz", "{}"), 200);
  }
  EXPECT_THROW(static_cast<void>(client.post(port, "/quiz", "{}")), penstock::Error);
  sample::Responder another(1ms);
  EXPECT_EQ(client.post(another.port(), "/quiz", "{}"), 200);
}

TEST(Http, ConnectsAnewWhereTheOtherSideHasClosed) {
  sample::HttpClient client;
  for (int start = 0; start < 3; ++start) {
    sample::Responder responder(1ms);
    EXPECT_EQ(client.post(responder.port(), "/quiz", "{}"), 200);
  }
}

}  // namespace
