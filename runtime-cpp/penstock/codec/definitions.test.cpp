#include "penstock/codec/definitions.hpp"

#include <gtest/gtest.h>

#include "penstock/codec.hpp"

namespace penstock::codec::definitions_test {
namespace {

struct Undefined {};

TEST(DefinitionsOfMessages, AreThoseThatTheyWereGeneratedWith) {
  EXPECT_EQ(definitions<Failure>(),
            "message 1=code:int32 2=message:string 3=flow:string 4=stage:string\n");
  EXPECT_EQ(definitions<void>(), "");
  EXPECT_EQ(definitions<Undefined>(), "");
}

TEST(DefinitionsOfMessages, HaveOtherNumbersWithinAnother) {
  EXPECT_EQ(definitions_around("message 1=value:#1?",
                               "message 1=a:#9* 2=b:#0?\nmessage 7=c:#12\nenum 0=A\n"),
            "message 1=value:#1?\nmessage 1=a:#10* 2=b:#1?\nmessage 7=c:#13\nenum 0=A\n");
  EXPECT_EQ(definitions_around("message 1=value:#1?", ""), "");
}

}  // namespace
}  // namespace penstock::codec::definitions_test
