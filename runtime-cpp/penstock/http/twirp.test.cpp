#include "penstock/http/twirp.hpp"

#include <gtest/gtest.h>

namespace penstock::http::twirp_test {
namespace {

TEST(Twirp, KnowsEachOfItsCodesBothWays) {
  for (int number = 1; number < static_cast<int>(kErrorCodes); ++number) {
    const auto code = static_cast<ErrorCode>(number);
    const auto back = error_of_twirp(twirp_name(code));
    EXPECT_EQ(back, code == ErrorCode::deadlock ? ErrorCode::aborted : code) << number;
  }
  EXPECT_EQ(twirp_name(ErrorCode::cancelled), "canceled");
  EXPECT_EQ(twirp_name(ErrorCode::data_loss), "data_loss");
}

TEST(Twirp, TakesBothSpellingsAndWhatOnlyTwirpHas) {
  EXPECT_EQ(error_of_twirp("canceled"), ErrorCode::cancelled);
  EXPECT_EQ(error_of_twirp("cancelled"), ErrorCode::cancelled);
  EXPECT_EQ(error_of_twirp("dataloss"), ErrorCode::data_loss);
  EXPECT_EQ(error_of_twirp("malformed"), ErrorCode::invalid_argument);
  EXPECT_EQ(error_of_twirp("bad_route"), ErrorCode::unimplemented);
  for (const std::string_view none : {"", "ok", "deadlock", "Not_Found", "not_found ", "404"}) {
    EXPECT_EQ(error_of_twirp(none), std::nullopt) << none;
  }
}

TEST(Twirp, KnowsItsTypesWhateverStandsBehindThem) {
  EXPECT_EQ(format_of("application/protobuf"), Format::protobuf);
  EXPECT_EQ(format_of("Application/JSON ; charset=utf-8"), Format::json);
  for (const std::string_view none : {"", "text/html", "application/jsonp", "application/grpc"}) {
    EXPECT_EQ(format_of(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace penstock::http::twirp_test
