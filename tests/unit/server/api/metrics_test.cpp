#include "server/api/metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::metrics_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(metrics, every_part_tells_its_counts) {
    metrics_snapshot now;
    now.http.requests = 7;
    now.engine.slots = 256;
    now.engine.busy = 3;
    now.engine.completed = 12;
    now.engine.degraded = 2;
    now.engine.degraded_by = {{"undelivered", 2}};
    now.batchers.emplace_back("intake", storage::batcher_counts{5, 40, 1, 2, 1500ms});
    now.updates = {{"job", 9}, {"rejected", 1}};
    now.refused.telegram = 6;
    now.api = {0, 0, 5, 0, 2, 1};
    now.queue = queue_health{};
    now.queue->lanes_ready = 4;
    now.queue->oldest_ready = 2.5;
    now.queue->jobs_about = {{"completed", 900}};
    now.notices = storage::notices_counts{true, 10, 2, 3};
    now.traces = telemetry::trace_counts{8, 2, 5, 3};
    now.ready = true;

    auto text = render(now);

    EXPECT_THAT(text, HasSubstr("postrider_ready 1\n"));
    EXPECT_THAT(text, HasSubstr("postrider_http_requests_total 7\n"));
    EXPECT_THAT(text, HasSubstr("postrider_engine_slots 256\n"));
    EXPECT_THAT(text, HasSubstr("postrider_engine_slots_busy 3\n"));
    EXPECT_THAT(text, HasSubstr("postrider_engine_runs_total{event=\"completed\"} 12\n"));
    EXPECT_THAT(text, HasSubstr("postrider_engine_runs_total{event=\"degraded\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("postrider_degraded_jobs_total{reason=\"undelivered\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("postrider_degraded_jobs_total{reason=\"late\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("postrider_batcher_commits_total{batcher=\"intake\"} 5\n"));
    EXPECT_THAT(text, HasSubstr("postrider_batcher_units_total{batcher=\"intake\"} 40\n"));
    EXPECT_THAT(text, HasSubstr("postrider_batcher_oldest_seconds{batcher=\"intake\"} 1.5\n"));
    EXPECT_THAT(text, HasSubstr("postrider_updates_total{disposition=\"job\"} 9\n"));
    EXPECT_THAT(text, HasSubstr("postrider_refused_total{at=\"telegram\"} 6\n"));
    EXPECT_THAT(text, HasSubstr("postrider_api_requests_total{status=\"2xx\"} 5\n"));
    EXPECT_THAT(text, HasSubstr("postrider_api_requests_total{status=\"5xx\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("postrider_queue_lanes{status=\"ready\"} 4\n"));
    EXPECT_THAT(text, HasSubstr("postrider_queue_oldest_ready_seconds 2.5\n"));
    EXPECT_THAT(text, HasSubstr("postrider_queue_jobs_about{state=\"completed\"} 900\n"));
    EXPECT_THAT(text, HasSubstr("postrider_notices_listening 1\n"));
    EXPECT_THAT(text, HasSubstr("postrider_notices_sent_total 2\n"));
    EXPECT_THAT(text, HasSubstr("postrider_traces_total{outcome=\"exported\"} 8\n"));
    EXPECT_THAT(text, HasSubstr("postrider_traces_total{outcome=\"dropped\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("postrider_trace_spans_rejected_total 5\n"));
    EXPECT_THAT(text, HasSubstr("postrider_traces_waiting 3\n"));
    EXPECT_THAT(text, HasSubstr("# TYPE postrider_updates_total counter\n"));
    EXPECT_THAT(text, HasSubstr("# HELP postrider_engine_slots "));
}

} // namespace
} // namespace postrider::api::metrics_test
