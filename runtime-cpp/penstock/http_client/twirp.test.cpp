#include "penstock/http_client/twirp.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <utility>

#include "penstock/call/activation/activation.hpp"
#include "support/other_side.hpp"
#include "support/small_binary.hpp"

namespace penstock::http_client::twirp_test {
namespace {

/// How messages travel.
constexpr bool kProtobuf = false;
constexpr bool kJson = true;

using penstock::testing::error_of;
using penstock::testing::kFar;
using penstock::testing::Other;

constexpr const char* kName = "shop.Prices/GetPrice";

std::string answer(unsigned status, const std::string& type, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// A busy machine answers late, too.
TwirpMethod method(const Other& other, bool json, ClientSettings settings = {}) {
  settings.timeout = kFar;
  return TwirpMethod({other.url("/twirp/"), kName, json, std::move(settings)});
}

/// Blocks, as a thread that is no worker may; checked.
std::string ask(const TwirpMethod& method, std::string body) {
  auto awaiting = method.send(std::move(body));
  EXPECT_TRUE(awaiting.await_ready());
  const Response response = awaiting.await_resume();
  method.check(response);
  return response.body;
}

/// Of the last request; empty: it has no such header.
std::string header(Other& other, const std::string& name) {
  const std::string request = other.requests().back();
  const std::size_t at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size() + 4;
  return request.substr(from, request.find("\r\n", from) - from);
}

/// What is made of an answer.
Error error_for(unsigned status, const std::string& type, const std::string& body) {
  const TwirpMethod asked({"http://h/twirp", kName, kProtobuf, {}});
  return error_of([&] { asked.check({status, {{"content-type", type}}, body}); });
}
Error error_for(unsigned status, const std::string& body) {
  return error_for(status, "application/json", body);
}

TEST(TwirpMethod, AsksInBothFormats) {
  Other other([](const std::string& request) {
    const bool json = request.find("Content-Type: application/json") != std::string::npos;
    return json ? answer(200, "application/json; charset=utf-8", "{\"a\":1}")
                : answer(200, "application/protobuf", std::string("\x08\0", 2));
  });
  const TwirpMethod binary = method(other, kProtobuf);
  EXPECT_EQ(ask(binary, std::string("\0\x01", 2)), std::string("\x08\0", 2));
  EXPECT_TRUE(other.requests()[0].starts_with("POST /twirp/shop.Prices/GetPrice HTTP/1.1\r\n"));
  EXPECT_TRUE(other.requests()[0].ends_with(std::string("\r\n\r\n\0\x01", 6)));
  EXPECT_EQ(header(other, "Content-Type"), "application/protobuf");
  EXPECT_EQ(header(other, "Accept"), "application/protobuf");
  EXPECT_EQ(header(other, "traceparent"), "");

  const TwirpMethod text = method(other, kJson);
  EXPECT_EQ(ask(text, "{\"b\":2}"), "{\"a\":1}");
  EXPECT_EQ(header(other, "Content-Type"), "application/json");
  EXPECT_TRUE(other.requests()[1].ends_with("\r\n\r\n{\"b\":2}"));
  // A message without a value is no byte of protobuf.
  EXPECT_EQ(ask(binary, ""), std::string("\x08\0", 2));
  EXPECT_EQ(header(other, "Content-Length"), "0");
}

TEST(TwirpMethod, SaysHowLongItWaitsAndWhoseRequestItIs) {
  Other other([](const std::string&) { return answer(200, "application/json", "{}"); });
  const TwirpMethod asked = method(other, kJson);
  ask(asked, "{}");
  const std::int64_t own = std::stoll(header(other, "Twirp-Timeout"));
  EXPECT_GT(own, 0);
  EXPECT_LE(own, std::chrono::milliseconds(kFar).count());

  call::Activation asker;
  asker.context.deadline_ns = after(now_ns(), std::chrono::nanoseconds(kFar).count() / 2);
  asker.context.trace = {1, 2, 3, 1};
  {
    const call::Activating asking(&asker);
    ask(asked, "{}");
  }
  const std::int64_t callers = std::stoll(header(other, "Twirp-Timeout"));
  EXPECT_GT(callers, 0);
  EXPECT_LE(callers, std::chrono::milliseconds(kFar).count() / 2);
  EXPECT_EQ(header(other, "traceparent"), asker.context.trace.traceparent());
}

TEST(TwirpMethod, SendsTheTokenThatItsEnvironmentHolds) {
  Other other([](const std::string&) { return answer(200, "application/json", "{}"); });
  constexpr const char* kVariable = "PENSTOCK_TEST_TWIRP_TOKEN";
  const auto asked = [&other] {
    return TwirpMethod({other.url("/twirp"), kName, kJson, {.timeout = kFar}, kVariable});
  };
  ::setenv(kVariable, "0123456789abcdef", 1);
  ask(asked(), "{}");
  EXPECT_EQ(header(other, "Authorization"), "Bearer 0123456789abcdef");
  for (const char* const none : {"", "two words", "line\nX-Other: 1"}) {
    ::setenv(kVariable, none, 1);
    const Error error = error_of([&] { ask(asked(), "{}"); });
    EXPECT_EQ(error.code(), ErrorCode::unauthenticated) << none;
    EXPECT_NE(error.message().find(kVariable), std::string_view::npos);
  }
  ::unsetenv(kVariable);
  EXPECT_EQ(error_of([&] { ask(asked(), "{}"); }).code(), ErrorCode::unauthenticated);
  EXPECT_EQ(other.requests().size(), 1U);
}

TEST(TwirpMethod, NobodyIsToldLongerThanTheOtherSideTakes) {
  Other other([](const std::string&) { return answer(200, "application/json", "{}"); });
  const TwirpMethod asked({other.url(), kName, kJson, {.timeout = std::chrono::hours(24)}});
  ask(asked, "{}");
  EXPECT_EQ(header(other, "Twirp-Timeout"), "3600000");
}

TEST(TwirpMethod, GivesUpWhenItsCallerDoes) {
  std::atomic<bool> let{false};
  Other other([&let](const std::string&) {
    let.wait(false);
    return answer(200, "application/json", "{}");
  });
  const TwirpMethod asked = method(other, kJson);
  call::Activation asker;
  asker.context.deadline_ns = now_ns() + 1'000'000;
  {
    const call::Activating asking(&asker);
    EXPECT_EQ(error_of([&] { ask(asked, "{}"); }).code(), ErrorCode::deadline_exceeded);
  }
  let = true;
  let.notify_all();
}

TEST(TwirpMethod, AnErrorOfTheServiceIsOurs) {
  const Error missing = error_for(404, R"({"code":"not_found","msg":"no such item"})");
  EXPECT_EQ(missing.code(), ErrorCode::not_found);
  EXPECT_EQ(missing.message(), "no such item");
  EXPECT_EQ(error_for(408, R"({"code":"canceled"})").code(), ErrorCode::cancelled);
  EXPECT_EQ(error_for(408, R"({"code":"cancelled"})").code(), ErrorCode::cancelled);
  EXPECT_EQ(error_for(500, R"({"code":"data_loss"})").code(), ErrorCode::data_loss);
  EXPECT_EQ(error_for(500, R"({"code":"dataloss"})").code(), ErrorCode::data_loss);
  // The code counts, whatever the status and type; what else is said is left out.
  EXPECT_EQ(error_for(403, "", R"({"code":"resource_exhausted","msg":"","meta":{"a":"b"},"x":[1]})")
                .code(),
            ErrorCode::resource_exhausted);
  const Error route = error_for(404, R"({"msg":"no handler for path","code":"bad_route"})");
  EXPECT_EQ(route.code(), ErrorCode::unimplemented);
  EXPECT_EQ(route.message(), "bad_route: no handler for path");
  const Error unread = error_for(400, R"({"code":"malformed","msg":"the body"})");
  EXPECT_EQ(unread.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(unread.message(), "malformed: the body");
}

TEST(TwirpMethod, ALongMessageIsShortenedBetweenCharacters) {
  std::string text(999, 'a');
  for (int i = 0; i < 100; ++i) text += "\xC3\xA4";
  EXPECT_EQ(error_for(500, R"({"code":"internal","msg":")" + text + "\"}").message(),
            std::string(999, 'a') + "...");
}

TEST(TwirpMethod, AnAnswerOfSomebodyElseIsAnErrorByItsStatus) {
  using enum ErrorCode;
  const std::pair<unsigned, ErrorCode> codes[] = {
      {302, internal},          {400, internal},      {401, unauthenticated},
      {403, permission_denied}, {404, unimplemented}, {429, resource_exhausted},
      {502, unavailable},       {503, unavailable},   {504, unavailable},
      {500, unknown},           {418, unknown},       {204, unknown}};
  for (const auto& [status, code] : codes) {
    for (const char* const body :
         {"", "<html>", "{}", "[]", "null", R"({"code":404,"msg":"a"})", R"({"message":"a"})",
          R"({"code":"ok"})", R"({"code":"NotFound"})", R"({"code":"not_found"} x)"}) {
      EXPECT_EQ(error_for(status, "text/html", body).code(), code) << status << body;
    }
  }
  EXPECT_EQ(error_for(502, "text/html", "<html>Bad gateway").message(),
            "http://h/twirp/shop.Prices/GetPrice: not an error of Twirp's: the answer was 502: "
            "<html>Bad gateway");
}

TEST(TwirpMethod, AnAnswerInAnotherFormIsNone) {
  for (const char* const type : {"application/json", "text/html", "application/protobufs", ""}) {
    EXPECT_EQ(error_for(200, type, "").code(), ErrorCode::internal) << type;
  }
  EXPECT_EQ(error_for(200, "text/html", "").message(),
            "http://h/twirp/shop.Prices/GetPrice: answered with text/html, not "
            "application/protobuf");
  EXPECT_EQ(error_for(200, std::string(81, 'a'), "").message(),
            "http://h/twirp/shop.Prices/GetPrice: answered with " + std::string(80, 'a') +
                "..., not application/protobuf");
  EXPECT_EQ(error_for(200, "application/protobuf", "").code(), ErrorCode::ok);
  const TwirpMethod asked({"http://h/", kName, kJson, {}});
  EXPECT_EQ(error_of([&] { asked.refuse("/a: is a text"); }).message(),
            "http://h/shop.Prices/GetPrice: the answer is not what is wanted: /a: is a text");
}

TEST(TwirpMethod, AUserInTheUrlIsRefusedAndNotSaid) {
  const TwirpMethod asked({"http://me:secret@127.0.0.1:1/twirp", kName, kJson, {}});
  const Error refused = error_of([&] { ask(asked, "{}"); });
  EXPECT_EQ(refused.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(refused.message(), "the URL holds a user: use a header");
}

TEST(TwirpMethod, AnswersAreBounded) {
  for (const unsigned status : {200U, 500U}) {
    Other other([status](const std::string&) {
      return answer(status, "application/json", std::string(1001, ' '));
    });
    const TwirpMethod asked = method(other, kJson, {.max_body = 1000});
    EXPECT_EQ(error_of([&] { ask(asked, "{}"); }).code(), ErrorCode::resource_exhausted);
  }
}

}  // namespace
}  // namespace penstock::http_client::twirp_test
