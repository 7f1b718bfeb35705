#include "penstock/config/config.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "penstock/base/limits.hpp"
#include "penstock/config/address.hpp"
#include "penstock/config/object_reader.hpp"
#include "penstock/config/read_door.hpp"
#include "penstock/config/read_join.hpp"

namespace penstock::config {
namespace {

constexpr std::array<std::string_view, 3> kIdleNames{"spin", "park", "adaptive"};
constexpr std::array<std::string_view, 3> kOverflowNames{"block", "reject", "shed-oldest"};
constexpr std::uintmax_t kLargestFile = 64U << 20U;

template <class List>
auto* find_named(List& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [name](const auto& item) { return item.name == name; });
  return found == list.end() ? nullptr : &*found;
}

/// `[first][A-Za-z0-9 and more]*`, at most 64 characters: the rule of the topology, checked again
/// because names end up in thread names, metric labels and log lines.
bool is_name(std::string_view text, std::string_view more = "_") {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (text.empty() || text.size() > 64 || !is_letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || more.find(c) != std::string_view::npos;
  });
}

/// As `prefix` of the drawing.
bool is_prefix(std::string_view text) {
  constexpr std::string_view kMarks = "-._~";
  char before = 'a';
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kMarks.find(c) != std::string_view::npos;
    if (!plain && (c != '/' || before == '/')) return false;
    before = c;
  }
  return text.empty() || (text.front() == '/' && text.back() != '/');
}

bool is_sha256(std::string_view text) {
  constexpr std::string_view kPrefix = "sha256:";
  if (text.size() != kPrefix.size() + 64 || text.substr(0, kPrefix.size()) != kPrefix) return false;
  text.remove_prefix(kPrefix.size());
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// One pass over the document; problems are collected, the parts that are right are kept.
class Document {
 public:
  Document(Problems& problems, const ReadSource& read_source)
      : problems_(problems), read_source_(read_source) {}

  Config read(const json::Json& value) {
    ObjectReader root(value, "", problems_);
    root.integer("penstock", 1, 1, "format versions", true);
    config_.binary = name(root, "binary", "_-");
    read_hash(root);
    if (const auto control = read_address(root, "control")) config_.control = *control;
    if (const json::Json* const http = root.optional("http"))
      config_.http = read_door(*http, root.at("http"), problems_);
    read_expose(root);
    read_announce(root);
    root.each_element(
        "listen",
        [this](const auto& item, const auto& at) {
          const auto parse = config_.announce ? &parse_announced_listen : &parse_listen;
          if (const auto address = read_peer(item, at, parse)) config_.listen.push_back(*address);
        },
        false);
    read_peers(root, "peers", config_.peers);
    read_peers(root, "others", config_.others);
    if (value.is_object() && value.contains("callers")) config_.callers.emplace();
    root.each_member("callers", [this](const auto& service, const auto& item, const auto& at) {
      (*config_.callers)[service] = read_callers(item, at);
    });
    if (const auto sampling = root.integer("sampling", 0, 128, "calls in 128", false)) {
      config_.sampling = static_cast<int>(*sampling);
    }
    if (const auto limit =
            root.integer("watchdogMs", 0, limits::kLongestWatchMs, "milliseconds", false)) {
      config_.watchdog_ms = static_cast<std::int32_t>(*limit);
    }
    if (const json::Json* const liveness = root.optional("liveness"))
      read_liveness(*liveness, root.at("liveness"));
    root.each_element(
        "pools", [this](const auto& item, const auto& at) { read_pool(item, at); }, false);
    root.each_member("services", [this](const auto& key, const auto& item, const auto& at) {
      read_service(key, item, at);
    });
    root.each_member("flows", [this](const auto& key, const auto& item, const auto& at) {
      read_flow(key, item, at);
    });
    root.each_member("joins", [this](const auto& key, const auto& item, const auto& at) {
      read_offered_join(key, item, at);
    });
    root.each_element(
        "rules", [this](const auto& item, const auto& at) { read_rule(item, at); }, false);
    root.finish();
    return std::move(config_);
  }

 private:
  std::string name(ObjectReader& object, std::string_view key, std::string_view more) {
    const auto text = object.text(key, true);
    if (!text) return {};
    check_name(*text, object.at(key), more);
    return *text;
  }

  void check_name(const std::string& text, const std::string& pointer,
                  std::string_view more = "_") {
    if (is_name(text, more)) return;
    problems_.add(pointer, "is no legal name",
                  "use a letter first, then letters, digits or " + std::string(more) +
                      ", at most 64 characters");
  }

  void read_hash(ObjectReader& root) {
    const auto text = root.text("topologyHash", true);
    if (!text) return;
    config_.topology_hash = *text;
    if (!is_sha256(*text)) {
      problems_.add(root.at("topologyHash"), "is no hash of a topology",
                    "use sha256: and 64 hex digits in lower case, or generate the file again");
    }
  }

  std::optional<Address> read_address(ObjectReader& root, std::string_view key) {
    const auto text = root.text(key, false);
    if (!text) return std::nullopt;
    std::optional<Address> address = parse_loopback(*text);
    if (!address) {
      problems_.add(root.at(key), "is no loopback address with a port",
                    "use 127.0.0.1:PORT, [::1]:PORT or localhost:PORT, PORT 0 (any) to 65535");
    }
    return address;
  }

  void read_expose(ObjectReader& root) {
    const json::Json* const value = root.optional("expose");
    if (value == nullptr) return;
    ObjectReader object(*value, root.at("expose"), problems_);
    if (const auto prefix = object.text("prefix", false)) {
      config_.expose.prefix = *prefix;
      if (!is_prefix(*prefix)) {
        problems_.add(object.at("prefix"), "is no prefix of a path",
                      "use nothing, or parts of letters, digits and -._~ with a / before each");
      }
    }
    object.each_element(
        "origins",
        [this](const auto& item, const auto& at) {
          if (item.is_string()) {
            config_.expose.origins.push_back(item.template get<std::string>());
          } else {
            problems_.add(at, "is no origin of web pages", "use a text as https://shop.example");
          }
        },
        false);
    object.finish();
  }

  void read_announce(ObjectReader& root) {
    const auto text = root.text("announce", false);
    if (!text) return;
    config_.announce = parse_nats(*text);
    if (!config_.announce) {
      problems_.add(
          root.at("announce"), "is no address of a NATS server",
          "use nats://HOST:PORT, HOST a name or the number of an address, PORT 1 to 65535");
    }
  }

  void read_peers(ObjectReader& root, const char* key,
                  std::vector<std::pair<std::string, PeerAddress>>& peers) {
    root.each_member(key, [&](const auto& binary, const auto& item, const auto& at) {
      if (const auto address = read_peer(item, at, &parse_peer))
        peers.emplace_back(binary, *address);
    });
  }
  std::optional<PeerAddress> read_peer(const json::Json& value, const std::string& pointer,
                                       std::optional<PeerAddress> (*parse)(std::string_view)) {
    std::optional<PeerAddress> address;
    if (value.is_string()) address = parse(value.get_ref<const std::string&>());
    if (!address) {
      problems_.add(pointer, "is no address at which a binary is reached",
                    "use tcp://HOST:PORT, tls://HOST:PORT or udp://HOST:PORT, HOST a name or the "
                    "number of an "
                    "address of one host (127.0.0.1, [::1]), PORT 1 to 65535");
    }
    return address;
  }

  void read_liveness(const json::Json& value, const std::string& pointer) {
    ObjectReader object(value, pointer, problems_);
    const std::size_t problems = problems_.count();
    const auto silence = [&object](std::string_view key, std::int32_t& into) {
      if (const auto said = object.integer(key, limits::kShortestSilenceMs,
                                           limits::kLongestSilenceMs, "milliseconds", false))
        into = static_cast<std::int32_t>(*said);
    };
    Liveness& liveness = config_.liveness;
    silence("pingMs", liveness.ping_ms);
    silence("lostMs", liveness.lost_ms);
    silence("hostLostMs", liveness.host_lost_ms);
    object.finish();
    if (problems_.count() != problems || liveness.lost_ms / 2 >= liveness.ping_ms) return;
    const bool asks = object.optional("lostMs") == nullptr;
    problems_.add(object.at(asks ? "pingMs" : "lostMs"),
                  "has the other end asked after " + std::to_string(liveness.ping_ms) +
                      " ms and given up after " + std::to_string(liveness.lost_ms) + " ms",
                  "use a `lostMs` of two times `pingMs` or more");
  }

  std::vector<std::string> read_callers(const json::Json& value, const std::string& pointer) {
    std::vector<std::string> callers;
    if (!value.is_array()) {
      problems_.add(pointer, "is no list", "list the names of the binaries that may call it");
      return callers;
    }
    for (std::size_t index = 0; index < value.size(); ++index) {
      const json::Json& name = value[index];
      const std::string at = pointer + "/" + std::to_string(index);
      callers.push_back(name.is_string() ? name.get<std::string>() : std::string());
      check_name(callers.back(), at, "_-");
    }
    return callers;
  }

  void read_pool(const json::Json& value, const std::string& pointer) {
    ObjectReader object(value, pointer, problems_);
    Pool pool;
    pool.name = name(object, "name", "_");
    if (!pool.name.empty() && config_.find_pool(pool.name) != nullptr) {
      problems_.add(object.at("name"), "names a pool that is listed already",
                    "give each pool its own name");
    }
    pool.threads = read_threads(object, value);
    read_up_to(object, pool);
    if (const auto idle = object.choice("idle", {kIdleNames.begin(), kIdleNames.end()})) {
      pool.idle = static_cast<Idle>(*idle);
    }
    if (const auto nice = object.integer("priority", limits::kFirstNice, limits::kLastNice,
                                         "nice levels", false)) {
      pool.priority = static_cast<int>(*nice);
    }
    if (const auto queue =
            object.integer("queue", 1, limits::kLongestQueue, "waiting calls", false)) {
      pool.queue = static_cast<std::uint32_t>(*queue);
    }
    if (const auto overflow =
            object.choice("overflow", {kOverflowNames.begin(), kOverflowNames.end()})) {
      pool.overflow = static_cast<Overflow>(*overflow);
    }
    object.finish();
    config_.pools.push_back(std::move(pool));
  }

  void read_up_to(ObjectReader& object, Pool& pool) {
    const auto most = object.integer("upTo", 1, limits::kMostThreads, "threads", false);
    if (!most) return;
    if (static_cast<std::size_t>(*most) < pool.threads.size()) {
      problems_.add(object.at("upTo"),
                    "is " + std::to_string(*most) + ", and the pool starts with " +
                        std::to_string(pool.threads.size()) + " threads",
                    "use " + std::to_string(pool.threads.size()) + " to " +
                        std::to_string(limits::kMostThreads));
    } else if (std::any_of(pool.threads.begin(), pool.threads.end(),
                           [](const Thread& thread) { return !thread.cpus.empty(); })) {
      problems_.add(object.at("upTo"), "lets threads come and go that are pinned",
                    "leave it out, or the pins");
    } else {
      pool.up_to = static_cast<unsigned>(*most);
    }
  }

  std::vector<Thread> read_threads(ObjectReader& object, const json::Json& value) {
    std::vector<Thread> read;
    object.each_element(
        "threads", [&](const auto& item, const auto& at) { read.push_back(read_thread(item, at)); },
        true);
    const auto threads = value.is_object() ? value.find("threads") : value.end();
    if (threads != value.end() && threads->is_array() &&
        (threads->empty() || threads->size() > limits::kMostThreads)) {
      problems_.add(object.at("threads"), "lists " + std::to_string(threads->size()) + " threads",
                    "list 1 to " + std::to_string(limits::kMostThreads));
    }
    return read;
  }

  Thread read_thread(const json::Json& value, const std::string& pointer) {
    ObjectReader object(value, pointer, problems_);
    Thread thread;
    object.each_element(
        "cpus",
        [&](const auto& item, const auto& at) {
          if (const auto cpu = integer_in(item, at, 0, limits::kLastCpu, "CPU ids", problems_)) {
            thread.cpus.push_back(static_cast<int>(*cpu));
          }
        },
        false);
    object.finish();
    return thread;
  }

  void read_service(const std::string& key, const json::Json& value, const std::string& pointer) {
    check_name(key, pointer);
    ObjectReader object(value, pointer, problems_);
    Service service;
    service.name = key;
    if (const auto pool = object.text("pool", false)) {
      service.pool = *pool;
      check_pool(*pool, object.at("pool"));
    }
    read_service_thread(object, service);
    if (const auto deadline = object.integer("deadlineMs", 1, INT32_MAX, "milliseconds", false)) {
      service.deadline_ms = static_cast<std::int32_t>(*deadline);
    }
    read_weights(object, service);
    object.finish();
    config_.services.push_back(std::move(service));
  }

  void read_service_thread(ObjectReader& object, Service& service) {
    const Pool* pool = config_.find_pool(service.pool);
    const auto thread = object.integer("thread", 0, limits::kLastThread, "thread indexes", false);
    if (!thread) return;
    service.thread = static_cast<std::uint32_t>(*thread);
    if (pool != nullptr && pool->up_to) {
      problems_.add(object.at("thread"),
                    "is a thread of pool " + service.pool + ", whose threads come and go",
                    "leave it out, or give the pool a number of threads");
      return;
    }
    if (pool != nullptr && !pool->threads.empty() && *service.thread >= pool->threads.size()) {
      problems_.add(object.at("thread"),
                    "is " + std::to_string(*thread) + ", but pool " + service.pool + " has " +
                        std::to_string(pool->threads.size()) + " threads",
                    "use 0 to " + std::to_string(pool->threads.size() - 1) +
                        ", or give the pool another thread");
    }
  }

  void read_weights(ObjectReader& object, Service& service) {
    const std::string pointer = object.at("weights");
    std::int64_t sum = 0;
    bool named = false;
    object.each_member("weights", [&](const auto& key, const auto& item, const auto& at) {
      check_name(key, at);
      named = true;
      if (const auto weight = integer_in(item, at, 0, INT32_MAX, "shares", problems_)) {
        service.weights.emplace_back(key, static_cast<std::int32_t>(*weight));
        sum += *weight;
      } else {
        sum = std::max<std::int64_t>(sum, 1);  // reported already; the sum says nothing
      }
    });
    if (named && sum == 0) {
      problems_.add(pointer, "gives every implementation the share 0",
                    "give one of them at least 1, or leave the key out for equal shares");
    }
  }

  void read_flow(const std::string& key, const json::Json& value, const std::string& pointer) {
    check_name(key, pointer);
    ObjectReader object(value, pointer, problems_);
    Flow flow;
    flow.name = key;
    if (const json::Json* source = object.required("source")) {
      read_source(flow, *source, object.at("source"));
    }
    object.each_member("joins", [&](const auto& stage, const auto& item, const auto& at) {
      check_name(stage, at);
      flow.joins.push_back(read_join(stage, item, at, problems_));
      if (!flow.joins.back().pool.empty()) check_pool(flow.joins.back().pool, at);
    });
    object.finish();
    config_.flows.push_back(std::move(flow));
  }

  void read_offered_join(const std::string& key, const json::Json& value,
                         const std::string& pointer) {
    const std::size_t dot = key.find('.');
    check_name(key.substr(0, dot), pointer);
    check_name(dot == std::string::npos ? std::string() : key.substr(dot + 1), pointer);
    config_.joins.push_back(read_join(key, value, pointer, problems_));
    if (!config_.joins.back().pool.empty()) check_pool(config_.joins.back().pool, pointer);
  }

  void read_source(Flow& flow, const json::Json& value, const std::string& pointer) {
    ObjectReader object(value, pointer, problems_);
    const auto kind = object.text("kind", true);
    if (!kind) return;
    flow.source.kind = *kind;
    if (read_source_ && read_source_(flow.name, flow.source, object, problems_)) object.finish();
  }

  void read_rule(const json::Json& value, const std::string& pointer) {
    ObjectReader object(value, pointer, problems_);
    Rule rule;
    rule.of = name(object, "of", "_");
    if (!rule.of.empty() && find_of(rule.of)) {
      problems_.add(object.at("of"), "is watched by another rule already",
                    "let one rule watch each flow or service");
    }
    if (const json::Json* const below = object.required("below")) {
      rule.below = read_side(*below, object.at("below"));
    }
    if (const json::Json* const above = object.required("above")) {
      rule.above = read_side(*above, object.at("above"));
      if (rule.above.per_second > 0 && rule.below.per_second >= rule.above.per_second) {
        problems_.add(json::child_pointer(object.at("above"), "perSecond"),
                      "is not above the rate of below",
                      "use a higher one: what is between the two changes nothing");
      }
    }
    if (const auto seconds =
            object.integer("forSeconds", 1, limits::kLongestHoldS, "seconds", false)) {
      rule.for_seconds = static_cast<unsigned>(*seconds);
    }
    object.finish();
    config_.rules.push_back(std::move(rule));
  }

  [[nodiscard]] bool find_of(const std::string& of) const {
    return std::any_of(config_.rules.begin(), config_.rules.end(),
                       [&of](const Rule& rule) { return rule.of == of; });
  }

  Rule::Side read_side(const json::Json& value, const std::string& pointer) {
    ObjectReader object(value, pointer, problems_);
    Rule::Side side;
    if (const json::Json* const rate = object.required("perSecond")) {
      side.per_second = rate->is_number() ? rate->get<double>() : 0;
      if (!(side.per_second > 0 && side.per_second <= limits::kFastestRate)) {
        side.per_second = 0;
        problems_.add(object.at("perSecond"), "is no rate",
                      "use a number above 0, at most " + std::to_string(limits::kFastestRate));
      }
    }
    side.preset.name = name(object, "preset", "_-");
    object.each_element(
        "pools", [&](const auto& item, const auto& at) { read_size(side.preset, item, at); },
        false);
    object.each_element(
        "joins", [&](const auto& item, const auto& at) { read_slot(side.preset, item, at); },
        false);
    object.finish();
    return side;
  }

  void read_size(Preset& preset, const json::Json& value, const std::string& pointer) {
    ObjectReader object(value, pointer, problems_);
    Preset::Size size;
    size.pool = name(object, "name", "_");
    size.threads = read_threads(object, value);
    object.finish();
    if (!size.pool.empty()) check_pool(size.pool, object.at("name"));
    if (const Pool* const pool = config_.find_pool(size.pool); pool != nullptr && pool->up_to) {
      problems_.add(object.at("name"), "names a pool whose threads come and go",
                    "leave it out, or give the pool a number of threads");
    }
    preset.sizes.push_back(std::move(size));
  }

  void read_slot(Preset& preset, const json::Json& value, const std::string& pointer) {
    ObjectReader object(value, pointer, problems_);
    Preset::Slot slot;
    slot.flow = name(object, "flow", "_");
    slot.stage = name(object, "stage", "_");
    if (const json::Json* const join = object.optional("join")) {
      slot.join = read_join(slot.stage, *join, object.at("join"), problems_);
      if (!slot.join->pool.empty()) check_pool(slot.join->pool, object.at("join"));
    }
    object.finish();
    preset.slots.push_back(std::move(slot));
  }

  void check_pool(const std::string& pool, const std::string& pointer) {
    if (pool == kDefaultPool || config_.find_pool(pool) != nullptr) return;
    problems_.add(pointer, "names the pool " + json::excerpt(pool) + ", which is not listed",
                  R"(name a pool under "pools", or "default")");
  }

  Problems& problems_;
  const ReadSource& read_source_;
  Config config_;
};

std::string report(const std::string& file, const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += file + ": " + (problem.pointer.empty() ? "the document" : problem.pointer) + ": " +
            problem.reason + "; " + problem.remedy;
  }
  return text;
}

}  // namespace

std::string_view to_string(Idle idle) { return kIdleNames.at(static_cast<std::size_t>(idle)); }
std::string_view to_string(Overflow overflow) {
  return kOverflowNames.at(static_cast<std::size_t>(overflow));
}

const Pool* Config::find_pool(std::string_view name) const { return find_named(pools, name); }
const Service* Config::find_service(std::string_view name) const {
  return find_named(services, name);
}
const Flow* Config::find_flow(std::string_view name) const { return find_named(flows, name); }

ConfigError::ConfigError(std::string file, std::vector<Problem> problems)
    : std::runtime_error(report(file, problems)),
      file_(std::move(file)),
      problems_(std::move(problems)) {}

Config parse(std::string_view text, const std::string& file, const ReadSource& read_source) {
  auto parsed = json::parse_document(text);
  if (const auto* error = std::get_if<JsonError>(&parsed)) {
    throw ConfigError(file, {{error->pointer, error->reason + " (" + error->place() + ")",
                              "correct the JSON, or generate the file again"}});
  }
  Problems problems;
  Config config = Document(problems, read_source).read(std::get<json::Json>(parsed));
  if (!problems.empty()) throw ConfigError(file, problems.take());
  return config;
}

Config load(const std::filesystem::path& file, const ReadSource& read_source) {
  const auto refuse = [&file](std::string reason, std::string remedy) -> ConfigError {
    return {file.string(), {{"", std::move(reason), std::move(remedy)}}};
  };
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) {
    throw refuse("cannot be opened (" + (error ? error.message() : "no such file") + ")",
                 "generate the project, or name the file with --config");
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw refuse("is no regular file", "name the configuration file with --config");
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (!error && size > kLargestFile) {
    throw refuse("is larger than 64 MB", "name the configuration file with --config");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(error ? 0 : size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream) {
    throw refuse("cannot be read", "check that the file may be read by this user");
  }
  return parse(text, file.string(), read_source);
}

}  // namespace penstock::config
