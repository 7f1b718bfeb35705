#include "penstock/metrics/prometheus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "penstock/metrics/latency_bounds.hpp"
#include "penstock/metrics/window.hpp"

namespace penstock::metrics {
namespace {

Schema schema() {
  Schema schema;
  schema.project = "ads";
  schema.binary = "ads-server";
  schema.topology_hash = "sha256:00";
  schema.runtime = "0.1.0";
  schema.started_at_ms = 1'700'000'000'123;
  schema.sampling = 3;
  schema.latency_bounds = latency_bounds();
  schema.services = {{0, "GetAd", "async-remote", 0, {}, true},
                     {1, "ProduceAd", "sync-remote", 1, {"ModelA", "ModelB"}, true}};
  schema.calls = {{0, 0, 1}};
  schema.flows = {{0, "Impressions", 200, {{"pick", 0, "map", 0}, {"log", 1, "map", {}}}}};
  schema.pools = {{0, "front", 1024, "block", "adaptive", 0, {}},
                  {1, "models", 1024, "block", "park", 0, {}}};
  return schema;
}

Sample sample() {
  LatencyTotals totals;
  for (std::size_t i = 0; i < totals.buckets.size(); ++i) totals.buckets[i] = i;
  totals.sum_seconds = 12.5;
  Sample sample;
  sample.services = {{0, 10, 2, 1, 0, {}}, {1, 20, 0, 3, 0, {}}};
  sample.implementations = {{0, 0, 10, 2, {}, totals, {{"deadline_exceeded", 2}}},
                            {1, 0, 12, 0, {}, totals, {}},
                            {1, 1, 8, 0, {}, totals, {}}};
  sample.calls = {{0, 18446744073709551615U, 1}};
  sample.flows = {{0, 100, 90, 5, 1, 4, {}}};
  sample.stages = {{0, 0, 95, 5, {}, totals, {}}, {0, 1, 90, 0, {}, totals, {}}};
  sample.pools = {{0, 3, 1, 1, 0, 21}, {1, 0, 0, 2, 7, 0}};
  sample.threads = {{0, 0, 1'500'000'000, 2'000'000, 11, 12, 0, 13}};
  sample.implementations[2].stuck = 6;
  sample.implementations[2].endings = {5, 2, 1, 0};
  sample.implementations[2].run_totals = totals;
  sample.stages[0].expired = 4;
  sample.stuck = {{1, 1, 1, 7'250}};
  sample.deadlocks = 2;
  sample.process = {3'000'000'000, 12345678, 9};
  return sample;
}

/// Value of a series, by its whole name with labels.
std::map<std::string, std::string> series(const std::string& text) {
  std::map<std::string, std::string> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t space = line.rfind(' ');
    EXPECT_TRUE(all.emplace(line.substr(0, space), line.substr(space + 1)).second)
        << "twice: " << line;
  }
  return all;
}

TEST(Prometheus, CarriesEveryFigureUnderItsLabels) {
  const auto all = series(prometheus_text(schema(), sample()));
  const auto value = [&](const std::string& name) {
    const auto found = all.find(name);
    return found == all.end() ? "missing" : found->second;
  };
  const std::string binary = "binary=\"ads-server\"";
  EXPECT_EQ(value("penstock_requests_total{service=\"ProduceAd\"," + binary +
                  ",implementation=\"ModelB\"}"),
            "8");
  EXPECT_EQ(
      value("penstock_requests_total{service=\"GetAd\"," + binary + ",implementation=\"GetAd\"}"),
      "10");
  EXPECT_EQ(value("penstock_errors_total{service=\"GetAd\"," + binary +
                  ",implementation=\"GetAd\",code=\"deadline_exceeded\"}"),
            "2");
  const std::string model = "{service=\"ProduceAd\"," + binary + ",implementation=\"ModelB\"";
  EXPECT_EQ(value("penstock_request_outcomes_total" + model + ",outcome=\"served\"}"), "5");
  EXPECT_EQ(value("penstock_request_outcomes_total" + model + ",outcome=\"expired\"}"), "2");
  EXPECT_EQ(value("penstock_request_outcomes_total" + model + ",outcome=\"skipped\"}"), "1");
  EXPECT_EQ(value("penstock_request_outcomes_total" + model + ",outcome=\"refused\"}"), "0");
  EXPECT_EQ(value("penstock_run_seconds_sum" + model + "}"), "12.5");
  EXPECT_EQ(value("penstock_wait_seconds_count" + model + "}"), "0");
  EXPECT_EQ(
      value("penstock_stage_expired_total{flow=\"Impressions\",stage=\"pick\"," + binary + "}"),
      "4");
  EXPECT_EQ(value("penstock_requests_in_flight{service=\"ProduceAd\"," + binary + "}"), "3");
  EXPECT_EQ(value("penstock_calls_total{from=\"GetAd\",to=\"ProduceAd\"," + binary + "}"),
            "18446744073709551615");
  EXPECT_EQ(
      value("penstock_flow_events_total{flow=\"Impressions\"," + binary + ",outcome=\"failed\"}"),
      "5");
  EXPECT_EQ(value("penstock_stage_events_total{flow=\"Impressions\",stage=\"log\"," + binary + "}"),
            "90");
  EXPECT_EQ(value("penstock_queue_depth{pool=\"front\"," + binary + "}"), "3");
  EXPECT_EQ(value("penstock_threads_busy{pool=\"front\"," + binary + "}"), "1");
  EXPECT_EQ(value("penstock_callers_blocked{pool=\"models\"," + binary + "}"), "7");
  EXPECT_EQ(value("penstock_requests_stolen_total{pool=\"front\"," + binary + "}"), "21");
  EXPECT_EQ(
      value("penstock_thread_requests_stolen_total{pool=\"front\",thread=\"0\"," + binary + "}"),
      "13");
  EXPECT_EQ(value("penstock_thread_busy_seconds_total{pool=\"front\",thread=\"0\"," + binary + "}"),
            "1.5");
  EXPECT_EQ(value("penstock_stuck_handlers_total{service=\"ProduceAd\"," + binary +
                  ",implementation=\"ModelB\"}"),
            "6");
  EXPECT_EQ(
      value("penstock_handler_stuck_seconds{service=\"ProduceAd\",pool=\"models\",thread=\"1\"," +
            binary + "}"),
      "7.25");
  EXPECT_EQ(value("penstock_deadlocks_total{" + binary + "}"), "2");
  EXPECT_EQ(value("penstock_process_cpu_seconds_total"), "3");
  EXPECT_EQ(value("penstock_process_start_time_seconds"), "1700000000.123");
  EXPECT_EQ(value("penstock_sampling_ratio"), "0.0234375");
}

TEST(Prometheus, CumulatesBucketsUpToTheCount) {
  const auto all = series(prometheus_text(schema(), sample()));
  const std::string labels = "{service=\"GetAd\",binary=\"ads-server\",implementation=\"GetAd\"";
  EXPECT_EQ(all.at("penstock_latency_seconds_bucket" + labels + ",le=\"1e-06\"}"), "0");
  EXPECT_EQ(all.at("penstock_latency_seconds_bucket" + labels + ",le=\"5e-06\"}"), "3");
  EXPECT_EQ(all.at("penstock_latency_seconds_bucket" + labels + ",le=\"0.1\"}"), "120");
  EXPECT_EQ(all.at("penstock_latency_seconds_bucket" + labels + ",le=\"10\"}"), "231");
  EXPECT_EQ(all.at("penstock_latency_seconds_bucket" + labels + ",le=\"+Inf\"}"), "253");
  EXPECT_EQ(all.at("penstock_latency_seconds_count" + labels + "}"), "253");
  EXPECT_EQ(all.at("penstock_latency_seconds_sum" + labels + "}"), "12.5");
}

TEST(Prometheus, HasBucketsUpToTheDrawnDeadlines) {
  // `ads`: GetAd has 250 ms, which waits 100 ms for its models; between the two nothing was told
  // apart. The same deadline again, none, and one of a second.
  const std::vector<double> bounds =
      latency_bounds({250'000'000, 0, 250'000'000, 1'000'000'000, 0});
  EXPECT_TRUE(std::is_sorted(bounds.begin(), bounds.end()));
  EXPECT_EQ(std::adjacent_find(bounds.begin(), bounds.end()), bounds.end());
  EXPECT_EQ(bounds.size(), kLatencyBoundsSeconds.size() + 3);  // 0.25, 0.5 and 1 were there
  Schema schema = metrics::schema();
  schema.latency_bounds = bounds;
  HistogramSum samples;
  for (const Nanos latency : {90'000'000, 120'000'000, 180'000'000, 240'000'000, 600'000'000}) {
    samples.add(latency);
  }
  Sample sample = metrics::sample();
  sample.implementations[0].totals = totals(samples, bounds);
  const auto all = series(prometheus_text(schema, sample));
  const auto below = [&](const std::string& bound) {
    return all.at(
        "penstock_latency_seconds_bucket{service=\"GetAd\",binary=\"ads-server\","
        "implementation=\"GetAd\",le=\"" +
        bound + "\"}");
  };
  EXPECT_EQ(below("0.1"), "1");
  EXPECT_EQ(below("0.125"), "2");
  EXPECT_EQ(below("0.1875"), "3");
  EXPECT_EQ(below("0.25"), "4");
  EXPECT_EQ(below("0.5"), "4");
  EXPECT_EQ(below("0.75"), "5");
  EXPECT_EQ(below("+Inf"), "5");
}

TEST(Prometheus, BoundsTheBucketsOfManyDeadlines) {
  std::vector<Nanos> deadlines;
  for (Nanos deadline = 1; deadline <= 300; ++deadline) deadlines.push_back(deadline * 7'000'000);
  deadlines.push_back(300 * 7'000'000);  // two services have it
  const std::vector<double> bounds = latency_bounds(deadlines);
  EXPECT_LT(bounds.size(), LatencyTotals{}.buckets.size());
  EXPECT_TRUE(std::binary_search(bounds.begin(), bounds.end(), 2.1));
}

TEST(Prometheus, EscapesLabelValues) {
  Schema odd = schema();
  odd.pools[0].name = "a\\b\"c\nd";
  const std::string text = prometheus_text(odd, sample());
  EXPECT_NE(text.find(R"(penstock_queue_depth{pool="a\\b\"c\nd",)"), std::string::npos) << text;
}

TEST(Prometheus, LeavesOutWhatTheSchemaDoesNotName) {
  Sample strange = sample();
  strange.services.push_back({99, 1, 1, 1, 1, {}});
  strange.implementations.push_back({99, 0, 1, 1, {}, {}, {}});
  strange.calls.push_back({99, 1, 1});
  strange.flows.push_back({99, 1, 1, 1, 1, 1, {}});
  strange.stages.push_back({0, 99, 1, 1, {}, {}, {}});
  strange.pools.push_back({99, 1, 1, 1, 1});
  strange.threads.push_back({99, 0, 1, 1, 1, 1, 1});
  EXPECT_EQ(prometheus_text(schema(), strange), prometheus_text(schema(), sample()));
}

TEST(Prometheus, CountsOfServicesOfOtherBinariesTheCallsAlone) {
  Schema drawn = schema();
  drawn.remotes.push_back({2, "Far", "far-server"});
  drawn.calls.push_back({1, 0, 2});
  Sample now = sample();
  now.calls.push_back({1, 10, 2});
  const std::string text = prometheus_text(drawn, now);
  EXPECT_EQ(text.find("service=\"Far\""), std::string::npos) << text;
  EXPECT_NE(text.find("to=\"Far\""), std::string::npos) << text;
}

TEST(Prometheus, TellsOfTheLinksToOtherBinaries) {
  Schema drawn = schema();
  drawn.links = {{0, "far-server", "unix"}, {1, "gone", "unix", "it is not running"}};
  Sample now = sample();
  now.links = {{0, 2, 0, 900, 1800, 1, 84.5, 200, 10}, {1, 0, 7, 0, 0, 0}, {99, 1, 1, 1, 1, 1}};
  const std::string text = prometheus_text(drawn, now);
  for (const char* const line :
       {"penstock_link_open{peer=\"far-server\",binary=\"ads-server\"} 2\n",
        "penstock_link_sent_bytes_total{peer=\"far-server\",binary=\"ads-server\"} 900\n",
        "penstock_link_round_trip_seconds{peer=\"far-server\",binary=\"ads-server\"} 8.45e-05\n",
        "penstock_link_sent_packets_total{peer=\"far-server\",binary=\"ads-server\"} 200\n",
        "penstock_link_resent_packets_total{peer=\"far-server\",binary=\"ads-server\"} 10\n",
        "penstock_link_waiting_calls{peer=\"gone\",binary=\"ads-server\"} 7\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_EQ(text.find("round_trip_seconds{peer=\"gone\""), std::string::npos) << text;
}

TEST(Prometheus, TellsWhoWasRefused) {
  Sample now = sample();
  now.refused = {{"key", 3}, {"crowded", 0}};
  const std::string text = prometheus_text(schema(), now);
  for (const char* const line :
       {"penstock_refused_total{reason=\"key\",binary=\"ads-server\"} 3\n",
        "penstock_refused_total{reason=\"crowded\",binary=\"ads-server\"} 0\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Prometheus, IsTakenByPromtool) {
  ASSERT_EQ(std::system("command -v promtool > /dev/null"), 0)
      << "promtool is missing: apt-get install prometheus";
  std::string directory = testing::TempDir() + "penstock-metrics-XXXXXX";
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  for (const bool empty : {false, true}) {
    const std::string text =
        empty ? prometheus_text(Schema{}, Sample{}) : prometheus_text(schema(), sample());
    std::ofstream(directory + "/metrics.txt") << text;
    const std::string command =
        "promtool check metrics < " + directory + "/metrics.txt > " + directory + "/said.txt 2>&1";
    const int code = std::system(command.c_str());
    std::ifstream said(directory + "/said.txt");
    const std::string words{std::istreambuf_iterator<char>(said), {}};
    EXPECT_EQ(code, 0) << words;
    EXPECT_EQ(words, "");
  }
  EXPECT_EQ(std::system(("rm -r " + directory).c_str()), 0);
}

}  // namespace
}  // namespace penstock::metrics
