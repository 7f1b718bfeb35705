#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The configuration of one binary (`generated/config/<binary>.json`): pools, pins, placements and
/// joins as plain structs. Read once at start, before any thread exists.
namespace penstock::config {

/// Name of the pool that is always there: one thread per CPU unless the file lists it.
inline constexpr std::string_view kDefaultPool = "default";

/// What an idle worker does.
enum class Idle { spin, park, adaptive };
/// What a call into a full queue does.
enum class Overflow { block, reject, shed_oldest };

[[nodiscard]] std::string_view to_string(Idle idle);
[[nodiscard]] std::string_view to_string(Overflow overflow);

struct Thread {
  std::vector<int>
      cpus;  ///< CPU ids it may run on; empty: anywhere. Not checked against the machine.
};

struct Pool {
  std::string name;
  std::vector<Thread> threads;  ///< 1 to 1024
  /// Threads come and go, from those above (none of them pinned) to so many; none: they stay.
  std::optional<unsigned> up_to;
  Idle idle = Idle::adaptive;
  int priority = 0;            ///< nice level, -20 to 19
  std::uint32_t queue = 1024;  ///< waiting calls a worker's mailbox takes, 1 to 1048576
  Overflow overflow = Overflow::block;
};

struct Service {
  std::string name;
  std::string pool{kDefaultPool};           ///< exists: a listed pool or `default`
  std::optional<std::uint32_t> thread;      ///< index within the pool; none: any of its threads
  std::optional<std::int32_t> deadline_ms;  ///< 1 to 2147483647
  /// Implementation and its share. Empty: equal shares. Else the sum is above 0, and one that is
  /// not named has 0.
  std::vector<std::pair<std::string, std::int32_t>> weights;
};

/// What is in the slot before a stage at the start.
struct Join {
  std::string stage;           ///< of its flow; of another binary's: `Flow.stage`
  std::string pool;            ///< exists; empty: threads of its own
  unsigned threads = 1;        ///< 1 to 1024; 0: cached, as many as there is work for
  std::uint32_t queue = 1024;  ///< 1 to 1048576
  Overflow overflow = Overflow::block;
};

/// Where a flow's events come from.
struct Source {
  std::string kind = "rate";
  /// Of the class of its kind, which has read them (ReadSource); null: as that class has them.
  std::shared_ptr<const void> settings;
};

struct Flow {
  std::string name;
  Source source;
  std::vector<Join> joins;
};

/// Sizes and pins of pools, and joins, under a name: what a rule brings into force.
struct Preset {
  struct Size {
    std::string pool;             ///< exists, and its threads stay
    std::vector<Thread> threads;  ///< 1 to 1024
  };
  struct Slot {
    std::string flow;
    std::string stage;
    std::optional<Join> join;  ///< none: the stage runs fused
  };
  std::string name;
  std::vector<Size> sizes;
  std::vector<Slot> slots;
};

/// A preset for little work and one for much: the binary changes between the two by itself.
struct Rule {
  struct Side {
    double per_second = 0;  ///< above 0, at most 1e9
    Preset preset;
  };
  std::string of;  ///< the flow or service whose rate is watched; no two rules have the same
  Side below;
  Side above;                ///< its rate is above that of `below`
  unsigned for_seconds = 5;  ///< that a rate has to hold, 1 to 3600
};

/// Where to listen. Port 0: any.
struct Address {
  std::string host =
      "127.0.0.1";  ///< a loopback address: 127.0.0.1, ::1 (no brackets) or localhost
  std::uint16_t port = 0;
};

/// Where a binary is reached by the others: a loopback address as above, a number (10.0.0.5,
/// 2001:db8::5) or the name of a host; or the file that lists where its processes are, or the NATS
/// server that they tell it to.
struct PeerAddress : Address {
  /// `host` has to be looked up; of one to listen at: all addresses of this host.
  bool named = false;
  bool secured = false;  ///< only those with a key are spoken to
  std::string file;      ///< not empty: that lists them, absolute or in the folder it runs in
  bool nats = false;     ///< `host` and `port` are those of a NATS server, which is asked for them
  bool datagrams = false;  ///< over UDP
};

/// When a link to another binary is taken for lost, in milliseconds.
struct Liveness {
  std::int32_t ping_ms = 1000;  ///< then the other end is asked, whatever is heard of it
  std::int32_t lost_ms = 3000;  ///< of silence where no call is under way; 2 `ping_ms` or more
  std::int32_t host_lost_ms = 20000;  ///< what was sent was not acknowledged: with calls, too
};

/// Where HTTP requests are taken.
struct Door : Address {
  bool beyond = false;  ///< other machines may reach it: `host` is any number, also 0.0.0.0 or ::
  bool bearer = false;  ///< only who has a token may ask
  enum class Tls { off, keys, files };
  Tls tls = Tls::off;
  std::string certificate;  ///< of `files`: in the folder of keys
  std::string key;
};

struct Config {
  std::string binary;
  std::string topology_hash;  ///< `sha256:` and 64 hex digits
  Address control;
  std::optional<Door> http;  ///< none: nowhere
  /// Of the services that are asked there.
  struct Expose {
    std::string prefix = "/twirp";     ///< empty, or `/` and parts of a path
    std::vector<std::string> origins;  ///< of web pages that may ask them
  };
  Expose expose;
  /// Where the other binaries of the drawing reach it, over TCP or UDP; none: where they look for
  /// it on their host.
  std::vector<PeerAddress> listen;
  /// The NATS server that it is announced at; any port is one to listen at then, 0.
  std::optional<Address> announce;
  /// Binaries that it calls and that listen at an address, and which one is used.
  std::vector<std::pair<std::string, PeerAddress>> peers;
  /// The same of binaries that it does not call by the drawing, but its own code may.
  std::vector<std::pair<std::string, PeerAddress>> others;
  /// By the name of a service, the binaries that may call it, others none; not there: all of the
  /// project may call all.
  std::optional<std::map<std::string, std::vector<std::string>>> callers;
  int sampling = 3;  ///< sampled calls in 128, 0 (off) to 128
  /// A handler that keeps its thread busy for longer is reported; 0 (never) to 3600000.
  std::int32_t watchdog_ms = 5000;
  Liveness liveness;  ///< of all links of this binary, those that it makes and those that it takes
  std::vector<Pool> pools;
  std::vector<Service> services;
  std::vector<Flow> flows;
  std::vector<Join> joins;  ///< of stages of other binaries' flows that this one runs
  std::vector<Rule> rules;

  /// Null where the file does not list it.
  [[nodiscard]] const Pool* find_pool(std::string_view name) const;
  [[nodiscard]] const Service* find_service(std::string_view name) const;
  [[nodiscard]] const Flow* find_flow(std::string_view name) const;
};

/// One thing wrong with the file.
struct Problem {
  std::string pointer;  ///< RFC 6901 JSON pointer; empty: the whole document
  std::string reason;
  std::string remedy;
};

/// The file cannot be used. `what()` has one line a problem: file, pointer, reason, remedy; a
/// binary prints it and exits 78.
class ConfigError final : public std::runtime_error {
 public:
  ConfigError(std::string file, std::vector<Problem> problems);
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// At least one, at most 50, in the order of the document's sections.
  [[nodiscard]] const std::vector<Problem>& problems() const noexcept { return problems_; }

 private:
  std::string file_;
  std::vector<Problem> problems_;
};

class ObjectReader;
class Problems;

/// Reads the settings of a flow's source, whose `kind` is there. False: it knows no such source,
/// and what the object holds is not looked at.
using ReadSource = std::function<bool(const std::string& flow, Source& source, ObjectReader& object,
                                      Problems& problems)>;

/// Reads and checks a configuration file (at most 64 MB). Throws ConfigError.
[[nodiscard]] Config load(const std::filesystem::path& file, const ReadSource& read_source = {});

/// The same for a text in memory; `file` is only named in errors.
[[nodiscard]] Config parse(std::string_view text, const std::string& file,
                           const ReadSource& read_source = {});

}  // namespace penstock::config
