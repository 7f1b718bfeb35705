// Where an event goes on behind each stage: what a flow makes of its drawn links, once.
#include <algorithm>

#include "penstock/flow/graph/flow.hpp"

namespace penstock::flow {

namespace {

using Positions = std::vector<std::uint32_t>;

// For one flow: who follows whom as drawn.
class Graph {
 public:
  explicit Graph(std::deque<Stage>& stages) : stages_(stages), takers_(stages.size() + 1) {
    for (Stage& stage : stages_) {
      if (stage.after.empty()) takers_.back().push_back(stage.index);
      for (const std::uint32_t before : nearest(stage)) takers_[before].push_back(stage.index);
    }
  }

  // A catch lets values pass: those who follow it follow the stages before it, too.
  [[nodiscard]] std::vector<Link> ways_from(std::size_t position) const {
    std::vector<Link> links;
    add_ways(position, {}, links);
    std::stable_sort(links.begin(), links.end(), [](const Link& one, const Link& other) {
      return one.to->index < other.to->index;
    });
    return links;
  }
  [[nodiscard]] std::size_t source() const noexcept { return stages_.size(); }

  // Whether what goes on to one of the stages behind this one never meets what goes on to another.
  [[nodiscard]] bool part_behind(const Stage& stage) const {
    if (stage.next.size() < 2) return true;
    std::vector<const Stage*> come_from(stages_.size(), nullptr);
    for (const Link& link : stage.next) {
      std::vector<Stage*> open{link.to};
      while (!open.empty()) {
        Stage& at = *open.back();
        open.pop_back();
        const Stage*& first = come_from[at.index];
        if (first == link.to) continue;
        if (first != nullptr) return false;
        first = link.to;
        for (const Link& further : at.next) open.push_back(further.to);
      }
    }
    return true;
  }

  // The first catch, in the order of the stages, that stands behind each stage.
  void find_rescues() {
    for (std::size_t at = stages_.size(); at-- > 0;) {
      Stage*& rescue = stages_[at].rescue;
      for (const std::uint32_t taker : takers_[at]) {
        Stage& next = stages_[taker];
        Stage* const found = next.role == Role::catch_failure ? &next : next.rescue;
        if (found != nullptr && (rescue == nullptr || found->index < rescue->index)) rescue = found;
      }
    }
  }

 private:
  // A catch that names a stage and one behind it gets the values of the one behind only: it stands
  // for all stages before it anyway, and would else let the event pass twice.
  [[nodiscard]] Positions nearest(const Stage& stage) const {
    if (stage.role != Role::catch_failure || stage.after.size() < 2) return stage.after;
    Positions behind;
    for (const std::uint32_t before : stage.after) {
      const bool covered = std::any_of(
          stage.after.begin(), stage.after.end(),
          [&](std::uint32_t other) { return other != before && comes_after(other, before); });
      if (!covered) behind.push_back(before);
    }
    return behind;
  }

  [[nodiscard]] bool comes_after(std::uint32_t stage, std::uint32_t before) const {
    std::vector<bool> seen(stages_.size(), false);
    Positions open{stage};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (const std::uint32_t previous : stages_[at].after) {
        if (previous == before) return true;
        if (previous < before || seen[previous]) continue;
        seen[previous] = true;
        open.push_back(previous);
      }
    }
    return false;
  }

  void add_ways(std::size_t position, const std::vector<const Choice*>& when,
                std::vector<Link>& links) const {
    for (const std::uint32_t taker : takers_[position]) {
      Stage& next = stages_[taker];
      std::vector<const Choice*> conditions = when;
      if (next.when.of != nullptr) conditions.push_back(&next.when);
      if (next.role == Role::catch_failure) {
        add_ways(taker, conditions, links);
      } else {
        links.push_back({&next, std::move(conditions)});
      }
    }
  }

  std::deque<Stage>& stages_;
  std::vector<Positions> takers_;  // of each stage, then of the source
};

}  // namespace

std::string_view to_string(Role role) noexcept {
  switch (role) {
    case Role::map:
      return "map";
    case Role::side_effect:
      return "side-effect";
    case Role::catch_failure:
      return "catch";
  }
  return "map";
}

bool Choice::takes(const void* value) const noexcept {
  const std::int64_t found = of(value);
  // Few: a library's search, made for many, takes several times as long.
  for (const std::int64_t one : values) {
    if (one == found) return true;
  }
  return false;
}

bool Link::taken(const void* value) const noexcept {
  for (const Choice* const choice : when) {
    if (!choice->takes(value)) return false;
  }
  return true;
}

Stage& Flow::add_stage() {
  Stage& stage = stages_.emplace_back();
  stage.index = static_cast<std::uint32_t>(stages_.size() - 1);
  stage.flow = this;
  if (stage.index != 0) stage.after.push_back(stage.index - 1);
  return stage;
}

void Flow::link_stages() {
  Graph graph(stages_);
  graph.find_rescues();
  entry_ = graph.ways_from(graph.source());
  for (Stage& stage : stages_) {
    const bool ends = stage.role != Role::side_effect && !stage.has_response;
    if (!ends) stage.next = graph.ways_from(stage.index);
  }
  for (Stage& stage : stages_) stage.ways_part = graph.part_behind(stage);
}

void Flow::mark_plain_stages() {
  if (entry_.size() == 1 && entry_.front().when.empty()) chunk_entry_ = entry_.front().to;
  for (Stage& stage : stages_) {
    const call::Service& service = *stage.service;
    stage.plain = stage.steps.one != nullptr && service.implementations.size() == 1 &&
                  !service.partitions.exist() && service.deadline_ns == 0 &&
                  service.kind != Kind::sync_remote;
    if (stage.afar != nullptr) stage.at_once = defaults::kMostInChunk;
    stage.in_chunks = stage.plain || stage.afar != nullptr;
    if (stage.in_chunks) {
      stage.only_implementation = service.implementations.front();
      stage.slot = stage.only_implementation->slot;
    }
    if (stage.next.size() == 1 && stage.next.front().when.empty()) {
      stage.only_next = stage.next.front().to;
    }
  }
  if (chunk_entry_ != nullptr && !chunk_entry_->in_chunks) chunk_entry_ = nullptr;
}

bool Flow::begins_virtual_stage(const Stage& stage) const noexcept {
  // Relaxed: a picture of now.
  const auto joined = [](const Stage& one) {
    return one.join.load(std::memory_order_relaxed) != nullptr;
  };
  if (!joined(stage) && !stage.after.empty()) return false;
  return std::any_of(stage.next.begin(), stage.next.end(),
                     [&](const Link& link) { return !joined(*link.to); });
}

void Flow::enroll(metrics::Registry& registry, std::uint32_t& slots) {
  registry_ = &registry;
  counters_ = {registry.add_counters(), registry.add_counters(), registry.add_counters(),
               registry.add_counters(), registry.add_timer(),    registry.add_sampled_counter()};
  link_stages();
  mark_plain_stages();
  stride_ = (value_bytes_ + Event::kAlignment - 1) / Event::kAlignment * Event::kAlignment;
  most_in_chunk_ = static_cast<std::uint32_t>(std::clamp<std::size_t>(
      defaults::kChunkBytes / std::max(stride_, Event::kAlignment), 1, defaults::kMostInChunk));
  chunks_.fit(stride_ * most_in_chunk_);
  gather_slot_ = slots++;
  for (Stage& stage : stages_) {
    for (call::Implementation* const part : stage.service->implementations) {
      if (part->sent == 0) part->sent = registry.add_counters();
    }
    stage.count = registry.add_counters();
    stage.errors = registry.add_counters();
    stage.timers = call::Timers(registry);
    stage.fused = registry.add_timer();
    stage.expired = registry.add_rare_counters();
    stage.plain_runs = registry.add_counters();
    stage.plain_ends = registry.add_counters();
    if (stage.plain) {
      stage.segment_slot = slots++;
      stage.only_implementation->add_runs(stage.plain_runs, stage.plain_ends, stage.timers);
    }
  }
}

}  // namespace penstock::flow
