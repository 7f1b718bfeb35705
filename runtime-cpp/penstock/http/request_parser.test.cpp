#include "penstock/http/request_parser.hpp"

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <string>

namespace penstock::http::request_parser_test {
namespace {

void put(RequestParser& parser, std::string text) {
  while (!text.empty()) {
    boost::system::error_code error;
    const std::size_t used = parser.put(boost::asio::buffer(text), error);
    ASSERT_FALSE(error) << error.message();
    ASSERT_NE(used, 0U);
    text.erase(0, used);
  }
}

TEST(RequestParser, KeepsNothingOfWhatStandsBehindTheLastChunk) {
  RequestParser parser;
  parser.body_limit(100);
  put(parser, "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  ASSERT_TRUE(parser.is_header_done());
  const std::size_t memory = parser.memory_of_head();
  EXPECT_GT(memory, 0U);
  parser.eager(true);
  put(parser, "2\r\nhi\r\n0\r\n" + std::string(500, 'a') + ": b\r\nc: d\r\n\r\n");
  EXPECT_TRUE(parser.is_done());
  EXPECT_EQ(parser.body(), "hi");
  EXPECT_EQ(parser.fields(), 2U);
  EXPECT_EQ(parser.memory_of_head(), memory);
}

}  // namespace
}  // namespace penstock::http::request_parser_test
