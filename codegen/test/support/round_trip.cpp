// Writes one message with everything in it (`write`), or says whether the bytes read are that
// message (`check`): the test puts protoc in between.
#include "round_trip.hpp"

#include <limits>
#include <string>

#include "messages.hpp"

namespace {

using namespace all_types;

template <class T>
using Limits = std::numeric_limits<T>;

Scalars scalars() {
  return {.flag = true,
          .small = Limits<std::int32_t>::min(),
          .large = Limits<std::int64_t>::min(),
          .usmall = Limits<std::uint32_t>::max(),
          .ularge = Limits<std::uint64_t>::max(),
          .real = 1.5F,
          .wide = -0.0,
          .text = "gr\u00fc\u00dfe \"quoted\" \\",
          .raw = std::string("\0\xff\x80", 3),
          .handled = penstock::Buffer("handled"),
          .colour = Colour::DARK};
}

Everything everything() {
  Everything all;
  all.scalars = scalars();
  all.lists = {.flags = {true, false, true},
               .smalls = {0, -1, 300},
               .larges = {Limits<std::int64_t>::max()},
               .usmalls = {1, 2},
               .ularges = {Limits<std::uint64_t>::max(), 0},
               .reals = {0.5F, -2},
               .wides = {1e300, 0},
               .texts = {"", "two"},
               .raws = {std::string(1, '\0')},
               .handleds = {penstock::Buffer(), penstock::Buffer("x")},
               .colours = {Colour::GREEN, static_cast<Colour>(12345), Colour::BRIGHT},
               .inner = {Scalars{}, scalars()}};
  all.maybes.flag = false;
  all.maybes.small = 0;
  all.maybes.text = "";
  all.maybes.handled = penstock::Buffer();
  all.maybes.colour = Colour::RED;
  all.maybes.inner = Scalars{};
  all.maybes.last = Failure{.code = penstock::ErrorCode::internal,
                            .message = "broken",
                            .flow = "Ticks",
                            .stage = "begin"};
  all.arrays.smalls = {1, 0, -3, 4};
  all.arrays.texts = {"", "b"};
  all.arrays.inner[1] = scalars();
  all.tree.label = "root";
  all.tree.parent = Tree{};
  all.tree.children.resize(2);
  all.tree.children[1].label = "child";
  all.tree.branch.emplace().tree.label = "on a branch";
  all.tree.branches.emplace_back();
  all.coded = {.sfixed = Limits<std::int64_t>::min(),
               .sint = Limits<std::int32_t>::min(),
               .slong = -3,
               .fixed = Limits<std::uint32_t>::max(),
               .sints = {0, -1, Limits<std::int64_t>::max(), Limits<std::int64_t>::min()},
               .fixeds = {1, Limits<std::uint64_t>::max()},
               .three = {-1, 0, 7},
               .maybe = 0,
               .apart = {-1, 0, 300}};
  all.maps.texts = {{"", "no key"}, {"gr\u00fc\u00dfe", ""}};
  all.maps.numbers = {{-5, -6}, {Limits<std::int64_t>::max(), 0}};
  all.maps.flags = {{false, std::string("\0\xff", 2)}, {true, ""}};
  all.maps.trees[-1].colours[7] = Colour::GREEN;
  all.maps.trees[3];
  all.choices.resize(4);
  all.choices[0].class_value = "";
  all.choices[1].number = -1;
  all.choices[1].aside = true;
  all.choices[2].inner = Choice{};
  all.choices[3].another_member_with_a_long_name = Colour::BRIGHT;
  return all;
}

}  // namespace

int main(int argc, char** argv) { return round_trip(argc, argv, everything()); }
