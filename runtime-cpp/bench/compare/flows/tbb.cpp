// oneTBB's pipeline and flow graph.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <memory>
#include <vector>

#include "flows/parcels.hpp"

namespace compare {
namespace {

namespace flow = tbb::flow;

/// oneTBB starts its threads itself: they inherit the CPUs that they may share.
class Threads {
 public:
  explicit Threads(unsigned count)
      : limit_((stay_on_first(count), tbb::global_control::max_allowed_parallelism), count) {}

 private:
  tbb::global_control limit_;
};

template <unsigned threads, unsigned stages>
double pipeline() {
  const Threads limit(threads);
  std::uint64_t sum = 0;
  const double rate = rate_of([&sum](std::uint64_t count) {
    std::uint64_t left = count;
    // Stages one after another, in order, as joins of one thread run them; on one thread that is
    // the only way.
    constexpr auto kMode = tbb::filter_mode::serial_in_order;
    tbb::filter<void, Parcel> head(kMode, [&left](tbb::flow_control& control) {
      if (left == 0) {
        control.stop();
      } else {
        --left;
      }
      return Parcel{};
    });
    for (unsigned stage = 0; stage + 1 < stages; ++stage) {
      head = head & tbb::filter<Parcel, Parcel>(
                        kMode, [](const Parcel& parcel) { return relayed(parcel); });
    }
    tbb::parallel_pipeline(threads == 1 ? 1 : std::size_t{kParcelsAtOnce},
                           head & tbb::filter<Parcel, void>(kMode, [&sum](const Parcel& parcel) {
                             sum += parcel.words[0];
                           }));
  });
  keep(sum);
  return rate;
}

/// `Policy` says whether a node runs in a task of its own or in the one before it.
template <unsigned threads, unsigned stages, class Policy>
double graph() {
  const Threads limit(threads);
  flow::graph all;
  std::uint64_t sum = 0;
  std::uint64_t left = 0;
  flow::input_node<Parcel> source(all, [&left](tbb::flow_control& control) {
    if (left == 0) {
      control.stop();
    } else {
      --left;
    }
    return Parcel{};
  });
  // So many under way at once, as ours.
  flow::limiter_node<Parcel> limiter(all, std::size_t{kParcelsAtOnce});
  std::vector<std::unique_ptr<flow::function_node<Parcel, Parcel, Policy>>> relays;
  for (unsigned stage = 0; stage + 1 < stages; ++stage) {
    relays.push_back(std::make_unique<flow::function_node<Parcel, Parcel, Policy>>(
        all, flow::serial, [](const Parcel& parcel) noexcept { return relayed(parcel); }));
  }
  flow::function_node<Parcel, flow::continue_msg, Policy> last(
      all, flow::serial, [&sum](const Parcel& parcel) noexcept {
        sum += parcel.words[0];
        return flow::continue_msg();
      });
  flow::make_edge(source, limiter);
  flow::sender<Parcel>* before = &limiter;
  for (const auto& relay : relays) {
    flow::make_edge(*before, *relay);
    before = relay.get();
  }
  flow::make_edge(*before, last);
  flow::make_edge(last, limiter.decrementer());
  const double rate = rate_of([&](std::uint64_t count) {
    left = count;
    source.activate();
    all.wait_for_all();
    all.reset();
  });
  keep(sum);
  return rate;
}

template <unsigned stages>
struct PipelineOnOne {
  static double rate() { return pipeline<1, stages>(); }
};
template <unsigned stages>
struct Pipeline {
  static double rate() { return pipeline<2, stages>(); }
};
template <unsigned stages>
struct GraphOnOne {
  static double rate() { return graph<1, stages, flow::queueing_lightweight>(); }
};
template <unsigned stages>
struct Graph {
  static double rate() { return graph<2, stages, flow::queueing>(); }
};

const EnterFlow<PipelineOnOne> kPipelineOnOne(false, "tbb-pipeline",
                                              "tbb::parallel_pipeline on one thread");
const EnterFlow<GraphOnOne> kGraphOnOne(false, "tbb-flow-graph",
                                        "tbb::flow::graph of lightweight nodes on one thread");
const EnterFlow<Pipeline> kPipeline(true, "tbb-pipeline",
                                    "tbb::parallel_pipeline, serial filters, two threads");
const EnterFlow<Graph> kGraph(true, "tbb-flow-graph",
                              "tbb::flow::graph, serial nodes that queue, two threads");

}  // namespace
}  // namespace compare
