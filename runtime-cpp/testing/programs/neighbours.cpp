#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <penstock/app.hpp>
#include <penstock/codec.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

/// Two binaries of one drawing, of which the environment variable NEIGHBOUR names one: `ads`
/// answers what `front` asks. `front` says each time that it gets on or no longer does. `line` has
/// a flow with a stage in `ads`; it says whose answers come, when it has many, and when one is
/// missing or out of order. `owner` has a flow whose stages `runner` runs, one of each kind; it
/// says what comes out of it.
namespace neighbours {
namespace {

struct Word {
  std::string text;
};

}  // namespace
}  // namespace neighbours

namespace penstock::codec {

template <>
struct Message<neighbours::Word> {
  static std::size_t size(const neighbours::Word& word) { return codec::size(1, word.text); }
  static void write(Writer& out, const neighbours::Word& word) { codec::write(out, 1, word.text); }
  static bool read(Reader in, neighbours::Word& word) {
    while (in.next()) {
      if (in.tag() == 1 ? !codec::read(in, word.text) : (in.skip(), false)) return false;
    }
    return true;
  }
};

}  // namespace penstock::codec

namespace neighbours {
namespace {

constexpr std::uint64_t kWordSchema = 0x3a51f00d;
constexpr std::uint64_t kFailureSchema = 0x3a51f00e;
constexpr std::uint64_t kGivenSchema = 0x3a51f00f;   // of a stage that gives a Word
constexpr std::uint64_t kPassedSchema = 0x3a51f010;  // of one that a Word goes on behind
constexpr std::chrono::seconds kLong{300};

// Two implementations of Echo, of which the configuration gives all calls to the first one.
struct Loud final : ::penstock::Handler {
  using request_type = Word;
  using response_type = Word;
  static ::penstock::Task<Word> handle(const Word& request) {
    co_return Word{request.text + mark()};
  }
  static const char* mark() {
    const char* const said = std::getenv("NEIGHBOUR_MARK");
    return said == nullptr ? "!" : said;
  }
};
struct Quiet final : ::penstock::Handler {
  using request_type = Word;
  using response_type = Word;
  static ::penstock::Task<Word> handle(const Word& request) { co_return Word{request.text + "."}; }
};

struct Ticks final : ::penstock::Handler {
  static Word event(std::uint64_t sequence) { return {std::to_string(sequence)}; }
};

struct Asks final : ::penstock::Handler {
  using request_type = Word;
  using response_type = void;
  struct calls_type {
    ::penstock::Stub<Word, Word> Echo;
  } calls;

  ::penstock::Task<void> handle(const Word& tick) {
    try {
      const Word answer = co_await calls.Echo(tick);
      const auto each = co_await ::penstock::gather_within(kLong, calls.Echo.each(tick));
      if (each.size() != 2) co_return;  // the next one says why
      const bool good = answer.text == tick.text + "!" && each[0].text == tick.text + "!" &&
                        each[1].text == tick.text + ".";
      say(good ? "answered" : "another answer");
    } catch (const ::penstock::Error& error) {
      say(error.what());
    }
  }

 private:
  // One thread, one implementation.
  void say(const std::string& now) {
    if (now == said_) return;
    said_ = now;
    std::puts(now.c_str());
    std::fflush(stdout);
  }
  std::string said_;
};

constexpr std::uint64_t kMany = 10'000;
std::atomic<std::uint64_t> g_made{0};

struct Numbers final : ::penstock::Handler {
  static Word event(std::uint64_t sequence) {
    ++g_made;
    return {std::to_string(sequence)};
  }
};

// One thread.
struct Says final : ::penstock::Handler {
  using request_type = Word;
  using response_type = void;

  void handle(const Word& word) {
    const char mark = word.text.back();
    const std::uint64_t number = std::stoull(word.text);
    const bool of_another = mark != mark_;
    if (number != next_) std::printf("%" PRIu64 " came in place of %" PRIu64 "\n", number, next_);
    if (of_another) std::printf("from %c of %" PRIu64 "\n", mark, g_made.load());
    mark_ = mark;
    next_ = number + 1;
    if (next_ == kMany) std::printf("all of %" PRIu64 "\n", kMany);
    std::fflush(stdout);
  }

 private:
  char mark_ = '-';
  std::uint64_t next_ = 0;
};

std::uint64_t number_of(const Word& word) { return std::stoull(word.text); }
std::string thread_name() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

// Whether an event goes on.
struct Even final : ::penstock::Handler {
  using request_type = Word;
  using response_type = void;
  static ::penstock::Verdict handle(const Word& word) {
    return ::penstock::keep_if(number_of(word) % 2 == 0);
  }
};
struct Below final : ::penstock::Handler {
  using request_type = Word;
  using response_type = void;
  static ::penstock::Task<::penstock::Verdict> handle(const Word& word) {
    co_return ::penstock::keep_if(number_of(word) < 16);
  }
};
// What becomes of it.
struct Marks final : ::penstock::Handler {
  using request_type = Word;
  using response_type = void;
  static void handle(Word& word) { word.text += " on " + thread_name(); }
};
struct Halves final : ::penstock::Handler {
  using request_type = Word;
  using response_type = Word;
  static std::optional<Word> handle(const Word& word) {
    const std::uint64_t number = number_of(word);
    if (number == 4) return std::nullopt;
    if (number == 6) throw ::penstock::Error(::penstock::ErrorCode::not_found, "there is no 6");
    return Word{std::to_string(number / 2) + " of " + word.text + ", " + thread_name()};
  }
};
// What is made of a failure, once in a while.
struct Rescues final : ::penstock::Handler {
  using request_type = ::penstock::Failure;
  using response_type = Word;
  static std::optional<Word> handle(const ::penstock::Failure& failure) {
    if (failure.message == "there is no 8") return std::nullopt;
    return Word{std::string(to_string(failure.code)) + ": " + failure.message + ", at " +
                failure.flow + "." + failure.stage};
  }
};
// Of the owner.
struct Fails final : ::penstock::Handler {
  using request_type = Word;
  using response_type = void;
  static void handle(const Word& word) {
    if (word.text.starts_with("4 of 8")) throw std::runtime_error("there is no 8");
  }
};
struct Tells final : ::penstock::Handler {
  using request_type = Word;
  using response_type = void;
  static void handle(const Word& word) {
    std::puts(word.text.c_str());
    std::fflush(stdout);
  }
};

void offer_stages(::penstock::App& app) {
  app.service<Even>("Even", ::penstock::Kind::simple);
  app.service<Below>("Below", ::penstock::Kind::async_remote);
  app.service<Marks>("Marks", ::penstock::Kind::single_threaded);
  app.service<Halves>("Halves", ::penstock::Kind::simple);
  app.service<Rescues>("Rescues", ::penstock::Kind::simple);
  app.offer_side_effect<Even>("Even", {"Lines.even", kWordSchema, kPassedSchema});
  app.offer_side_effect<Below>("Below", {"Lines.below", kWordSchema, kPassedSchema});
  app.offer_side_effect<Marks>("Marks", {"Lines.marks", kWordSchema, kPassedSchema});
  app.offer_map<Halves>("Halves", {"Lines.halves", kWordSchema, kGivenSchema});
  app.offer_map<Rescues>("Rescues", {"Lines.rescues", kFailureSchema, kGivenSchema});
}

void ask_stages(::penstock::App& app) {
  app.service<Fails>("Fails", ::penstock::Kind::simple);
  app.service<Tells>("Tells", ::penstock::Kind::simple);
  for (const char* const service : {"Even", "Below", "Marks"})
    app.remote<Word, void>(service, "runner", {std::string("Words/") + service, kWordSchema, 0});
  app.remote<Word, Word>("Halves", "runner", {"Words/Halves", kWordSchema, kWordSchema});
  app.remote<::penstock::Failure, Word>("Rescues", "runner",
                                        {"Words/Rescues", kFailureSchema, kWordSchema});
  app.flow<Numbers>("Lines")
      .remote_side_effect<Word>("even", "Even", kPassedSchema)
      .remote_side_effect<Word>("below", "Below", kPassedSchema)
      .remote_side_effect<Word>("marks", "Marks", kPassedSchema)
      .remote_map<Word, Word>("halves", "Halves", kGivenSchema)
      .side_effect<Fails>("fails", "Fails")
      .remote_catch_failure<Word>("rescues", "Rescues", kGivenSchema)
      .side_effect<Tells>("tells", "Tells");
}

int run(const std::string& name, int argc, char** argv) {
  ::penstock::App app({.binary = name,
                       .project = "neighbours",
                       .topology_hash = "sha256:" + std::string(64, '0'),
                       .config = ""});
  if (name == "ads") {
    app.service<Loud, Quiet>("Echo", ::penstock::Kind::async_remote,
                             {.implementations = {"Loud", "Quiet"}});
    app.offer<Word, Word>("Echo", {"Words/Echo", kWordSchema, kWordSchema});
    app.offer_map<Loud, Quiet>("Echo", {"Numbers.echo", kWordSchema, kGivenSchema});
  } else if (name == "line") {
    app.service<Says>("Says", ::penstock::Kind::simple);
    app.remote<Word, Word>("Echo", "ads", {"Words/Echo", kWordSchema, kWordSchema},
                           {.implementations = {"Loud", "Quiet"}});
    app.flow<Numbers>("Numbers")
        .remote_map<Word, Word>("echo", "Echo", kGivenSchema)
        .side_effect<Says>("says", "Says");
  } else if (name == "runner") {
    offer_stages(app);
  } else if (name == "owner") {
    ask_stages(app);
  } else {
    app.service<Asks>("Asks", ::penstock::Kind::async_remote);
    app.remote<Word, Word>("Echo", "ads", {"Words/Echo", kWordSchema, kWordSchema},
                           {.implementations = {"Loud", "Quiet"}});
    app.call("Asks", "Echo", &Asks::calls_type::Echo);
    app.flow<Ticks>("Ticks").side_effect<Asks>("asks", "Asks");
  }
  return app.run(argc, argv);
}

}  // namespace
}  // namespace neighbours

int main(int argc, char** argv) {
  const char* const name = std::getenv("NEIGHBOUR");
  return neighbours::run(name == nullptr ? "front" : name, argc, argv);
}
