// Ours: a flow whose stage runs in another binary with that many processes. All are in one process
// here, each with its pool and its counters; the source's worker owns all of its ends of the links.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/cpus.hpp"
#include "harness/measure.hpp"
#include "penstock/app.hpp"
#include "penstock/net/remote/calls/client.hpp"
#include "penstock/net/remote/calls/stage_type.hpp"
#include "penstock/net/remote/door/door.hpp"
#include "remote/ends.hpp"
#include "streaming/nodes.hpp"

namespace compare {
namespace {

namespace net = penstock::net;
namespace flow = penstock::flow;
using penstock::testing::Number;
using penstock::testing::pool_settings;

/// Numbers under way to a node: what the queue of a pool takes.
constexpr std::int64_t kUnderWay = 1024;

/// A link that breaks as a busy machine does not run its other end would take numbers along.
constexpr net::Link::Limits kPatient{.greet = 3'600'000'000'000, .lost = 3'600'000'000'000};

penstock::exec::PoolSettings pinned(const char* name, unsigned thread) {
  auto settings = pool_settings(name, 1);
  settings.threads = {{cpu(thread)}};
  return settings;
}

/// What a node does with a number.
struct Count : penstock::Handler {
  using request_type = Number;
  using response_type = void;
  std::uint64_t* shared = nullptr;  // of one thread
  void handle(const Number& number) const {
    keep(number.value);
    ++*shared;
  }
};

/// A process of the binary that counts.
class Node {
 public:
  explicit Node(net::Place place) : place_(std::move(place)) {
    penstock::call::Service& count = binary_.service<Count>("Count", penstock::Kind::simple, pool_);
    count.implementations.front()->give_extras().shared = &counted_;
    net::Offer& offer = offers_.emplace_back();
    offer.type = &net::kStageType<net::StageGives::event, Count>;
    offer.site.callee = &count;
    penstock::call::enroll(offer.site, binary_.registry());
    self_.hello.services = {{0, "Numbers.count", 1, 2}};
    self_.hello_bytes = net::wire::write_hello(self_.hello);
    binary_.start();
    door_.open(place_);
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node() {
    static_cast<void>(door_.drain(penstock::testing::far_from_now()));
    binary_.stop();
  }
  [[nodiscard]] const net::Place& place() const noexcept { return place_; }

 private:
  const net::Place place_;
  std::uint64_t counted_ = 0;
  net::Link::Self self_ = self_of("nodes", 'a');
  std::deque<net::Offer> offers_;
  penstock::testing::SmallBinary binary_;
  penstock::exec::Pool& pool_ = binary_.pool(pinned("nodes", 1));
  net::Door door_{self_, offers_, pool_, binary_.take_slot(), kPatient};
};

/// Where the nodes are.
class Nodes final : public net::Finder {
 public:
  explicit Nodes(unsigned nodes) {
    // An address of this process alone.
    const auto pid = static_cast<unsigned>(getpid());
    const auto byte = [pid](unsigned shift) { return std::to_string(pid >> shift & 255U); };
    const std::string host = "127." + byte(16) + "." + byte(8) + "." + byte(0);
    for (unsigned node = 0; node < nodes; ++node) {
      constexpr unsigned kPort = 7400;
      auto place = net::Place::tcp(host, static_cast<std::uint16_t>(kPort + node));
      instances_.push_back(net::Directory::drawn_at(place));
      nodes_.push_back(std::make_unique<Node>(std::move(place)));
    }
  }
  [[nodiscard]] std::vector<net::Directory::Instance> instances() override { return instances_; }
  [[nodiscard]] std::string why_none() const override { return {}; }
  [[nodiscard]] net::Transport transport() const noexcept override { return {}; }

 private:
  std::vector<net::Directory::Instance> instances_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

/// The next stage, here again: lets another number in, as long as there are any.
struct Next : penstock::Handler {
  using request_type = Number;
  using response_type = void;
  struct Run {
    flow::Flow* flow = nullptr;
    std::int64_t left = 0;  // of the source's thread, or of run() while none is under way
    std::atomic<std::int64_t> under_way{0};
  };
  Run* shared = nullptr;
  void handle(const Number& /*number*/) const {
    Run& run = *shared;
    if (run.left > 0) {
      run.flow->push(Number{--run.left});
    } else if (run.under_way.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      run.under_way.notify_all();
    }
  }
};

class Source {
 public:
  explicit Source(unsigned nodes) : nodes_(nodes) {
    peer_.binary = "nodes";
    peer_.self = self_of("source", 'f');
    peer_.self.wanted = {{"Numbers.count", 1, 2}};
    peer_.self.hello_bytes = net::wire::write_hello(peer_.self.hello);
    peer_.finder = std::make_unique<Nodes>(nodes);
    peer_.slot = binary_.take_slot();
    peer_.limits = kPatient;
    using Stage = penstock::app::RemoteSideEffect<Number>;
    penstock::call::Service& stage = add<Stage>("count");
    penstock::call::Service& there = binary_.service("Count", penstock::Kind::async_remote, pool_,
                                                     {&net::remote_implementation()});
    there.thread = penstock::call::Service::kWhereCalled;
    there.implementations.front()->give_extras().shared = &record_;
    const penstock::call::CallSite& site = binary_.site(there);
    stage.implementations.front()->give_extras().wiring.push_back(
        penstock::call::wire_to(&Stage::calls_type::there, &site));
    row_stage_.emplace(*penstock::app::kRowsOf<Stage>, site);
    flow_.stages().back().afar = &*row_stage_;
    add<Next>("next").implementations.front()->give_extras().shared = &run_;
    binary_.enroll(flow_);
    run_.flow = &flow_;
    binary_.start();
    while (peer_.figures.open != nodes) stream(1);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() { binary_.stop(); }

  void stream(std::int64_t count) {
    const std::int64_t first = std::min(count, kUnderWay * std::int64_t{nodes_});
    run_.left = count - first;
    run_.under_way = first;
    Begin begin;
    begin.flow = &flow_;
    begin.numbers = first;
    pool_.worker(0).post(begin);
    for (std::int64_t now = first; now != 0; now = run_.under_way) run_.under_way.wait(now);
  }

 private:
  struct Begin : penstock::exec::Job {
    flow::Flow* flow = nullptr;
    std::int64_t numbers = 0;
    Begin() {
      run = [](penstock::exec::Job& job) noexcept {
        const auto& begin = static_cast<Begin&>(job);
        for (std::int64_t number = begin.numbers; number > 0; --number)
          begin.flow->push(Number{number});
      };
    }
  };
  template <class H>
  penstock::call::Service& add(const std::string& id) {
    penstock::app::StageBinding binding =
        penstock::app::bind_stage<flow::Role::side_effect, H>(id, id);
    flow_.fit(binding.value_bytes);
    flow::Stage& stage = flow_.add_stage();
    penstock::call::Service& service = binary_.service<H>(id, penstock::Kind::async_remote, pool_);
    penstock::app::set_up(stage, service, std::move(binding));
    return service;
  }

  const unsigned nodes_;
  net::Peer peer_;
  net::RemoteService record_{.type = &net::kRemoteType<Number, net::Passed<Number>>,
                             .peer = &peer_};
  std::optional<net::RowStage> row_stage_;
  Next::Run run_;
  flow::Flow flow_{"Numbers"};
  penstock::testing::SmallBinary binary_;
  penstock::exec::Pool& pool_ = binary_.pool(pinned("source", 0));
};

template <unsigned nodes>
struct Flowing {
  static double rate() {
    Source source(nodes);
    return rate_of(
        [&source](std::uint64_t count) { source.stream(static_cast<std::int64_t>(count)); });
  }
};

const EnterStream<Flowing> kStream("penstock", "a flow whose stage runs in another binary");

}  // namespace
}  // namespace compare
