#include "penstock/net/wire/definitions.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace penstock::net::wire::definitions_test {
namespace {

std::string why(std::string_view here, std::string_view there, Writer writer = Writer::here) {
  return why_unreadable({here, there, writer, false});
}

/// Either way.
void are_read(std::string_view here, std::string_view there) {
  EXPECT_EQ(why(here, there, Writer::here), "");
  EXPECT_EQ(why(here, there, Writer::there), "");
}
void differ(std::string_view here, std::string_view there, std::string_view text) {
  EXPECT_EQ(why(here, there, Writer::here), text);
  EXPECT_EQ(why(here, there, Writer::there), text);
}

TEST(Definitions, AreReadWhereFieldsWereAddedAndTakenAway) {
  are_read("message 1=name:string\n", "message 1=name:string\n");
  are_read("message 1=name:string\n", "message 1=name:string 2=age:int32 9=tags:string*\n");
  are_read("message \n", "message 1=name:string\n");
  are_read("message 1=name:string\n", "message 1=title:string\n");  // renamed
  are_read("message 1=name:string\n", "message 1=name:string?\n");
  are_read("message 1=left:#0? 2=size:int32*\n", "message 1=left:#0? 3=more:#1?\nmessage \n");
}

TEST(Definitions, NameTheFirstFieldThatDiffers) {
  differ("message 1=name:string 2=age:int32\n", "message 1=name:string 2=age:string\n",
         "age is int32 here and string there");
  differ("message 1=user:#1?\nmessage 4=age:int32\n", "message 1=who:#1?\nmessage 4=age:int64\n",
         "user.age is int32 here and int64 there");
  differ("message 1=ids:int32*\n", "message 1=ids:int32\n",
         "ids is a list of int32 here and int32 there");
  differ("message 1=ids:int32[4]\n", "message 1=ids:int32[5]\n",
         "ids is 4 of int32 here and 5 of int32 there");
  differ("message 1=id:int32~sint\n", "message 1=id:int32\n",
         "id is int32 as sint here and int32 there");
  differ("message 1=of:int32^string\n", "message 1=of:int32^int64\n",
         "of is a map by string of int32 here and a map by int64 of int32 there");
  differ("message 1=of:#1\nmessage \n", "message 1=of:#1\nenum 0=NONE\n",
         "of is a message here and an enum there");
}

TEST(Definitions, NameAFieldByItsNameHere) {
  EXPECT_EQ(why("message 1=user:#1?\nmessage 4=age:int32\n",
                "message 1=who:#1?\nmessage 4=years:int64\n"),
            "user.age is int32 here and int64 there");
}

TEST(Definitions, AreNotReadByAnotherTag) {
  differ("message 1=name:string 2=age:int32\n", "message 1=name:string 3=age:int32\n",
         "age has the tag 2 here and 3 there");
}

TEST(Definitions, AreNotReadByTheTagOfAnotherName) {
  // A field was put in between, two were swapped, one took the place of another.
  differ("message 1=id:string 2=name:string\n",
         "message 1=id:string 2=email:string 3=name:string\n",
         "name has the tag 2 here and 3 there");
  EXPECT_EQ(why("message 1=a:string 2=b:string\n", "message 1=b:string 2=a:string\n"),
            "a has the tag 1 here and 2 there");
  EXPECT_EQ(why("message 1=b:string\n", "message 1=a:string 2=b:string\n"),
            "b has the tag 1 here and 2 there");
}

TEST(Definitions, OfWhatReplacesAnEventLoseNothingOfIt) {
  const std::string_view frame = "message 1=ended:bool 2=changed:#1?\n";
  const std::string older = std::string(frame) + "message 1=name:string\n";
  const std::string newer = std::string(frame) + "message 1=name:string 2=language:string\n";
  const auto kept = [](std::string_view here, std::string_view there) {
    return why_unreadable({here, there, Writer::there, true});
  };
  EXPECT_EQ(kept(newer, older), "changed.language would be lost: it is known here alone");
  EXPECT_EQ(kept(older, newer), "");
  EXPECT_EQ(kept(newer, "message 1=ended:bool\n"), "") << "who sends none back changes none";
}

TEST(Definitions, OfEnumsAreReadWithMoreValues) {
  are_read("message 1=c:#1\nenum 0=RED 1=BLUE\n", "message 1=c:#1\nenum 0=RED 1=BLUE 2=GREEN\n");
  are_read("message 1=c:#1\nenum 0=RED 1=BLUE\n", "message 1=c:#1\nenum 0=RED 1=AZURE\n");
  const std::string_view here = "message 1=c:#1\nenum 0=RED 1=BLUE\n";
  const std::string_view there = "message 1=c:#1\nenum 0=BLUE 1=RED\n";
  EXPECT_EQ(why(here, there), "c.BLUE is 1 here and 0 there");
  EXPECT_EQ(why(here, there, Writer::there), "c.BLUE is 1 here and 0 there");
}

TEST(Definitions, OfAFieldInAOneofAreReadWhereNoMoreAreSet) {
  const std::string_view apart = "message 1=a:int32 2=b:int32\n";
  const std::string_view chosen = "message 1=a:int32|one 2=b:int32|one\n";
  EXPECT_EQ(why(chosen, apart), "");
  EXPECT_EQ(why(apart, chosen),
            "a excludes others there, by \"one\", which may be set beside it here");
  are_read("message 1=a:int32\n", chosen);
  are_read(chosen, "message 1=a:int32|uno 2=b:int32|uno 3=c:int32|uno\n");
}

TEST(Definitions, OfBuffersAreKnownAtBothEnds) {
  const std::string_view with = "message 1=name:string 2=photo:#1?\nmessage 1=data:buffer\n";
  EXPECT_EQ(why(with, "message 1=name:string\n"), "photo holds a buffer, and is known here alone");
  EXPECT_EQ(why("message 1=name:string\n", with), "");
  EXPECT_EQ(why("message 1=name:string\n", with, Writer::there),
            "photo holds a buffer, and is known there alone");
  are_read(with, with);
}

TEST(Definitions, OfArraysAreNotReadWithoutThem) {
  const std::string_view with = "message 1=name:string 2=at:double[3]\n";
  EXPECT_EQ(why("message 1=name:string\n", with), "at is 3 of double that only there are known");
  EXPECT_EQ(why(with, "message 1=name:string\n"), "");
}

TEST(Definitions, OfCirclesAreReadOnce) {
  are_read("message 1=next:#1?\nmessage 1=back:#0? 2=x:int32\n", "message 1=next:#0? 2=x:int32\n");
}

TEST(Definitions, ThatAreBrokenAreReadByNobody) {
  const std::string_view good = "message 1=name:string\n";
  for (const std::string_view broken : {"",
                                        "\n",
                                        "message 1=name:string",
                                        "messages \n",
                                        "message 1=name\n",
                                        "message 1:string\n",
                                        "message x=name:string\n",
                                        "message 1=:string\n",
                                        "message 1=name:\n",
                                        "message 1=a:#1\n",
                                        "message 1=a:#x\n",
                                        "message 1=a:int32 2=a:int32\n",
                                        "message 2=b:int32 1=a:int32\n",
                                        "message 1=a:int32 1=b:int32\n",
                                        "message 1=a:int32[4\n",
                                        "enum 0=A\n",
                                        "message \nenum 0\n",
                                        "message \nenum 0=\n",
                                        "message \nenum 0=A 1=A\n",
                                        "message 99999999999=a:int32\n",
                                        "message 1=a:#99999999999999999999999\n",
                                        "message 1=a:int32*x\n"}) {
    EXPECT_EQ(why(good, broken), "they are not known there") << broken;
    EXPECT_EQ(why(broken, good), "they are not known here") << broken;
  }
}

// What a peer sends must not keep a thread busy, nor take much memory.
TEST(Definitions, OfTooManyMessagesAreNotCompared) {
  std::string here;
  std::string there;
  for (int line = 0; line < 100; ++line) {
    const std::string next = std::to_string((line + 1) % 100);
    here += "message 1=a:#" + next + " 2=b:#" + next + "\n";
  }
  for (int line = 0; line < 101; ++line)
    there += "message 1=a:#" + std::to_string((line + 1) % 101) + "\n";
  EXPECT_EQ(why(here, there), "they hold too many others to be compared");
  EXPECT_EQ(why(std::string(kLongestDefinitions + 1, 'x'), there),
            "they are too long to be compared");
}

TEST(Definitions, GoInAFrame) {
  const Definitions said{"message 1=name:string\n", "message \n"};
  std::string body(size(said), '\0');
  EXPECT_EQ(write(body.data(), said), body.data() + body.size());
  Definitions heard;
  ASSERT_TRUE(read_definitions(body, heard));
  EXPECT_EQ(heard, said);
  for (std::size_t bytes = 0; bytes < 4 + said.request.size(); ++bytes)
    EXPECT_FALSE(read_definitions(std::string_view(body).substr(0, bytes), heard)) << bytes;
}

// What is wrong with them becomes part of an error, which others read and show.
TEST(Definitions, AreTextThatCanBeShown) {
  Definitions heard;
  for (const std::string text : {"message 1=\xff:int32\n", "message 1=\x1b:int32\n"}) {
    std::string body(size({text, ""}), '\0');
    write(body.data(), {text, ""});
    EXPECT_FALSE(read_definitions(body, heard)) << text;
  }
  const std::string long_name = "message 1=" + std::string(201, 'x') + ":int32\n";
  EXPECT_EQ(why("message 1=name:int32\n", long_name), "they are not known there");
}

TEST(Definitions, ThatAreTooLongAreNotSaid) {
  const Definitions said{std::string(kLongestDefinitions + 1, 'x'), "message \n"};
  std::string body(size(said), '\0');
  write(body.data(), said);
  Definitions heard;
  ASSERT_TRUE(read_definitions(body, heard));
  EXPECT_EQ(heard, Definitions{});
  EXPECT_FALSE(read_definitions(std::string(4, '\0') + said.request, heard));
}

}  // namespace
}  // namespace penstock::net::wire::definitions_test
