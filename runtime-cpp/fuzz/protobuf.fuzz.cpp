// Any bytes are a message in protobuf or are refused; what is accepted is written in a way that
// reads the same, in protobuf and in JSON, and takes no more memory than it may.
//
// The first byte is about how much that is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/codec.hpp"
#include "penstock/json_codec.hpp"
#include "support/json_sample.hpp"

namespace {

using penstock::Boxed;
using penstock::codec::Coding;
using penstock::testing::Fixed;
using penstock::testing::Inner;
using penstock::testing::Sample;

/// Numbers in each coding, packed and not, maps, members of a oneof, and the forms of a Sample.
struct Forms {
  Sample sample;
  std::int32_t zigzag = 0;
  std::uint64_t fixed = 0;
  std::vector<std::int64_t> zigzags;
  std::vector<std::int32_t> fixeds;
  std::vector<double> reals;
  std::map<std::string, std::int64_t> numbers;
  std::map<std::int32_t, Inner> inners;
  std::optional<std::string> this_one;
  Boxed<Inner> or_that;
  std::vector<Sample> samples;
  std::optional<Fixed> pair;
  std::vector<penstock::Buffer> buffers;
};

}  // namespace

namespace penstock::codec {

template <>
struct Message<Inner> {
  static std::size_t size(const Inner& inner) { return codec::size(1, inner.number); }
  static void write(Writer& out, const Inner& inner) { codec::write(out, 1, inner.number); }
  static bool read(Reader in, Inner& inner) {
    while (in.next()) {
      if (in.tag() != 1) {
        in.skip();
      } else if (!codec::read(in, inner.number)) {
        return false;
      }
    }
    return true;
  }
};
template <>
struct Message<Fixed> {
  static std::size_t size(const Fixed& fixed) { return codec::size(1, fixed.pair); }
  static void write(Writer& out, const Fixed& fixed) { codec::write(out, 1, fixed.pair); }
  static bool read(Reader in, Fixed& fixed) {
    std::size_t seen = 0;
    while (in.next()) {
      if (in.tag() != 1) {
        in.skip();
      } else if (!codec::read(in, fixed.pair, seen)) {
        return false;
      }
    }
    return seen == fixed.pair.size();
  }
};
template <>
struct Message<Sample> {
  static std::size_t size(const Sample& s) {
    return codec::size(1, s.large) + codec::size(2, s.small_one) + codec::size(3, s.real) +
           codec::size(4, s.thin) + codec::size(5, s.flag) + codec::size(6, s.text) +
           codec::size(7, s.raw) + codec::size(8, s.handled) + codec::size(9, s.colour) +
           codec::size(10, s.flags) + codec::size(11, s.raws) + codec::size(12, s.maybe) +
           codec::size(13, s.inner) + codec::size(14, s.next);
  }
  static void write(Writer& out, const Sample& s) {
    codec::write(out, 14, s.next);
    codec::write(out, 13, s.inner);
    codec::write(out, 12, s.maybe);
    codec::write(out, 11, s.raws);
    codec::write(out, 10, s.flags);
    codec::write(out, 9, s.colour);
    codec::write(out, 8, s.handled);
    codec::write(out, 7, s.raw);
    codec::write(out, 6, s.text);
    codec::write(out, 5, s.flag);
    codec::write(out, 4, s.thin);
    codec::write(out, 3, s.real);
    codec::write(out, 2, s.small_one);
    codec::write(out, 1, s.large);
  }
  static bool read_field(Reader& in, Sample& s) {
    switch (in.tag()) {
      case 1:
        return codec::read(in, s.large);
      case 2:
        return codec::read(in, s.small_one);
      case 3:
        return codec::read(in, s.real);
      case 4:
        return codec::read(in, s.thin);
      case 5:
        return codec::read(in, s.flag);
      case 6:
        return codec::read(in, s.text);
      case 7:
        return codec::read(in, s.raw);
      case 8:
        return codec::read(in, s.handled);
      case 9:
        return codec::read(in, s.colour);
      case 10:
        return codec::read(in, s.flags);
      case 11:
        return codec::read(in, s.raws);
      case 12:
        return codec::read(in, s.maybe);
      case 13:
        return codec::read(in, s.inner);
      case 14:
        return codec::read(in, s.next);
      default:
        in.skip();
        return true;
    }
  }
  static bool read(Reader in, Sample& s) {
    while (in.next()) {
      if (!read_field(in, s)) return false;
    }
    return true;
  }
};
template <>
struct Message<Forms> {
  static std::size_t size(const Forms& f) {
    return codec::size(1, f.sample) + codec::size<Coding::zigzag>(2, f.zigzag) +
           codec::size<Coding::fixed>(3, f.fixed) +
           codec::size_unpacked<Coding::zigzag>(4, f.zigzags) +
           codec::size<Coding::fixed>(5, f.fixeds) + codec::size(6, f.reals) +
           map_size(7, f.numbers) + map_size<Coding::fixed>(8, f.inners) +
           codec::size(9, f.this_one) + codec::size(10, f.or_that) + codec::size(11, f.samples) +
           codec::size(12, f.pair) + codec::size(13, f.buffers);
  }
  static void write(Writer& out, const Forms& f) {
    codec::write(out, 13, f.buffers);
    codec::write(out, 12, f.pair);
    codec::write(out, 11, f.samples);
    codec::write(out, 10, f.or_that);
    codec::write(out, 9, f.this_one);
    write_map<Coding::fixed>(out, 8, f.inners);
    write_map(out, 7, f.numbers);
    codec::write(out, 6, f.reals);
    codec::write<Coding::fixed>(out, 5, f.fixeds);
    codec::write_unpacked<Coding::zigzag>(out, 4, f.zigzags);
    codec::write<Coding::fixed>(out, 3, f.fixed);
    codec::write<Coding::zigzag>(out, 2, f.zigzag);
    codec::write(out, 1, f.sample);
  }
  static bool read_field(Reader& in, Forms& f) {
    switch (in.tag()) {
      case 1:
        return codec::read(in, f.sample);
      case 2:
        return codec::read<Coding::zigzag>(in, f.zigzag);
      case 3:
        return codec::read<Coding::fixed>(in, f.fixed);
      case 4:
        return codec::read<Coding::zigzag>(in, f.zigzags);
      case 5:
        return codec::read<Coding::fixed>(in, f.fixeds);
      case 6:
        return codec::read(in, f.reals);
      case 7:
        return read_map(in, f.numbers);
      case 8:
        return read_map<Coding::fixed>(in, f.inners);
      case 9:
        return read_one(in, f.this_one, f.or_that);
      case 10:
        return read_one(in, f.or_that, f.this_one);
      case 11:
        return codec::read(in, f.samples);
      case 12:
        return codec::read(in, f.pair);
      case 13:
        return codec::read(in, f.buffers);
      default:
        in.skip();
        return true;
    }
  }
  static bool read(Reader in, Forms& f) {
    while (in.next()) {
      if (!read_field(in, f)) return false;
    }
    return none(f.this_one) || none(f.or_that);
  }
};

}  // namespace penstock::codec

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::string written(const Forms& message) {
  std::string bytes(penstock::codec::Message<Forms>::size(message), '?');
  penstock::codec::Writer out(bytes.data() + bytes.size());
  penstock::codec::Message<Forms>::write(out, message);
  require(out.position() == bytes.data());
  return bytes;
}

/// What lists, maps and boxes take.
std::size_t memory_of(const Sample& sample) {
  std::size_t bytes = sample.flags.size() + sample.raws.size() * sizeof(std::string);
  if (sample.next.has_value()) bytes += sizeof(Sample) + memory_of(*sample.next);
  return bytes;
}
std::size_t memory_of(const Forms& forms) {
  std::size_t bytes = memory_of(forms.sample) + 8 * forms.zigzags.size() + 4 * forms.fixeds.size() +
                      8 * forms.reals.size() + 50 * forms.numbers.size() + 40 * forms.inners.size();
  for (const Sample& sample : forms.samples) bytes += sizeof(Sample) + memory_of(sample);
  for (const penstock::Buffer& buffer : forms.buffers) bytes += buffer.empty() ? 16 : 64;
  return bytes + (forms.or_that.has_value() ? sizeof(Inner) : 0);
}

void check_json(const Sample& sample) {
  std::string text;
  penstock::codec::append_json(sample, text);
  // Another reader agrees that this is JSON, whatever the bytes of its texts were.
  require(nlohmann::json::accept(text));
  Sample again;
  penstock::JsonError error;
  require(penstock::codec::parse_json(text, again, error));
  std::string twice;
  penstock::codec::append_json(again, twice);
  require(twice == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  Forms message;
  const bool accepted = penstock::codec::parse(bytes, message);
  {
    const std::size_t most = std::size_t{data[0]} * 100;
    const penstock::codec::BoundsMemory bound(most);
    Forms bounded;
    const bool taken = penstock::codec::parse(bytes, bounded);
    require(bound.taken() <= most);
    require(taken ? accepted : !accepted || bound.is_passed());
    if (taken) {
      require(memory_of(bounded) <= bound.taken());
      require(written(bounded) == written(message));
    }
  }
  if (!accepted) return 0;
  const std::string once = written(message);
  Forms again;
  require(penstock::codec::parse(once, again));
  // Compared as bytes: NaN is no equal of itself.
  require(written(again) == once);
  check_json(message.sample);
  return 0;
}
