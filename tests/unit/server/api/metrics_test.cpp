#include "server/api/metrics.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace postrider::api::metrics_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Of every family at least one sample, with all the labels that it may have.
metrics_snapshot full_snapshot(telemetry::measures& measures) {
    std::string const model = "anthropic/claude-haiku-4-5";
    measures.models.calls.observe(model, "", 3s);
    measures.models.calls.observe(model, "overloaded", 100ms);
    measures.models.tokens.at(model, "input").observe(500);
    measures.models.totals.at(model) = {.cost_micro = 1'250'000, .cached = 77};
    measures.tools.own.observe("calculator", "invalid", 5ms);
    measures.tools.of_servers.observe("shop_order", "", 2s);
    measures.engine.runs.observe("turn", "completed", 4s);
    measures.engine.steps.observe("", "", 3s);
    measures.engine.steps.observe("telegram.send", "ambiguous", 3s);
    measures.engine.first_effects.observe("telegram.send", "turn", 4s);
    measures.engine.first_effects.observe("telegram.send", "flow", 4s);
    measures.engine.first_effects.observe("tool.remind", "turn", 1s);
    measures.bots.observe("sendMessage", "rate_limited", 150ms);
    metrics_snapshot now;
    now.measures = &measures;
    now.gates = {{"provider:anthropic", false, 3}, {"bot:main", true, 0}};
    now.stopped_bots = {{"main", false}, {"spare", true}};
    now.batchers.emplace_back("intake", storage::batcher_counts{});
    now.updates = {{"job", 9}};
    now.queue = queue_health{};
    now.queue->jobs_about = {{"completed", 900}};
    now.notices = storage::notices_counts{};
    now.traces = telemetry::trace_counts{};
    return now;
}

using families = std::map<std::string, std::set<std::string>>; // name → labels

std::set<std::string> labels_in(std::string const& text) {
    static std::regex const label(R"re(([a-z_]+)=")re");
    std::set<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), label), end; at != end; ++at)
        found.insert((*at)[1]);
    found.erase("le");
    return found;
}

families shown(std::string const& text) {
    static std::regex const head(R"re(# TYPE ([a-z_]+) )re");
    families found;
    std::istringstream lines(text);
    std::string family;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, head))
            found[family = match[1].str()];
        else if (!line.starts_with("#"))
            found[family].merge(labels_in(line));
    }
    return found;
}

// "`postrider_a_b{x}`, `…_c`" are postrider_a_b with the label x, and postrider_a_c.
families documented(families const& known) {
    std::ostringstream reference;
    reference << std::ifstream(tests::source("docs/reference.md")).rdbuf();
    static std::regex const row(R"re(\n\| (`(postrider|gen_ai)_[^|]*) \|)re");
    static std::regex const name(R"re(`((?:…)?[a-z_]+)(\{([a-z_,]+)\})?`)re");
    auto const text = reference.str();
    families found;
    for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
        auto const cell = (*at)[1].str();
        std::string first;
        for (std::sregex_iterator n(cell.begin(), cell.end(), name); n != end; ++n) {
            auto family = (*n)[1].str();
            if (first.empty()) first = family;
            if (family.starts_with("…")) {
                auto const rest = family.substr(std::string_view("…").size());
                for (auto cut = first.rfind('_'); cut != first.npos && cut > 0;
                     cut = first.rfind('_', cut - 1)) {
                    family = first.substr(0, cut) + rest;
                    if (known.contains(family)) break;
                }
            }
            std::istringstream labels((*n)[3].str());
            auto& all = found[family];
            for (std::string label; std::getline(labels, label, ',');) all.insert(label);
        }
    }
    return found;
}

TEST(metrics, are_in_the_reference_with_their_labels_and_no_others_are) {
    telemetry::measures measures;
    auto const code = shown(render(full_snapshot(measures)));
    auto const table = documented(code);

    ASSERT_GT(code.size(), 20u);
    for (auto const& [family, labels] : code) {
        ASSERT_TRUE(table.contains(family)) << family << " is not in docs/reference.md";
        EXPECT_EQ(table.at(family), labels) << family;
    }
    for (auto const& [family, labels] : table)
        EXPECT_TRUE(code.contains(family)) << family << " does not exist";
}

TEST(metrics, of_agents_have_the_names_of_opentelemetry) {
    telemetry::measures measures;

    auto text = render(full_snapshot(measures));

    auto const of_model =
        R"({gen_ai_provider_name="anthropic",gen_ai_request_model="claude-haiku-4-5")";
    auto const call = std::string(of_model) + R"(,gen_ai_operation_name="chat")";
    EXPECT_THAT(text, HasSubstr("# TYPE gen_ai_client_operation_duration_seconds histogram\n"));
    auto const took = "gen_ai_client_operation_duration_seconds";
    EXPECT_THAT(text, HasSubstr(took + ("_bucket" + call) + ",le=\"2.56\"} 0\n"));
    EXPECT_THAT(text, HasSubstr(took + ("_bucket" + call) + ",le=\"5.12\"} 1\n"));
    EXPECT_THAT(text, HasSubstr(took + ("_bucket" + call) + ",le=\"+Inf\"} 1\n"));
    EXPECT_THAT(text, HasSubstr(took + ("_sum" + call) + "} 3\n"));
    EXPECT_THAT(text, HasSubstr(took + ("_count" + call) + ",error_type=\"overloaded\"} 1\n"));
    EXPECT_THAT(
        text,
        HasSubstr("gen_ai_client_token_usage_sum" + call + ",gen_ai_token_type=\"input\"} 500\n")
    );
    EXPECT_THAT(
        text, HasSubstr("postrider_model_cost_usd_total" + std::string(of_model) + "} 1.25\n")
    );
    EXPECT_THAT(
        text, HasSubstr("postrider_model_cached_tokens_total" + std::string(of_model) + "} 77\n")
    );
    EXPECT_THAT(
        text,
        HasSubstr("gen_ai_execute_tool_duration_seconds_count{gen_ai_tool_name=\"calculator\","
                  "source=\"own\",error_type=\"invalid\"} 1\n")
    );
    EXPECT_THAT(text, HasSubstr(R"({gen_ai_tool_name="shop_order",source="mcp"} 1)"));
}

TEST(metrics, of_jobs_bots_and_breakers_are_told) {
    telemetry::measures measures;

    auto text = render(full_snapshot(measures));

    EXPECT_THAT(
        text,
        HasSubstr(R"(postrider_job_run_duration_seconds_count{kind="turn",outcome="completed"} 1)")
    );
    EXPECT_THAT(text, HasSubstr(R"(_count{effect="telegram.send",error_type="ambiguous"} 1)"));
    EXPECT_THAT(text, HasSubstr("postrider_step_duration_seconds_count 1\n"));
    EXPECT_THAT(
        text, HasSubstr(R"(postrider_turn_first_reply_seconds_count{messenger="telegram"} 1)")
    );
    EXPECT_THAT(
        text,
        HasSubstr("postrider_telegram_request_duration_seconds_count{method=\"sendMessage\","
                  "error_type=\"rate_limited\"} 1\n")
    );
    EXPECT_THAT(text, HasSubstr("postrider_bot_stopped{bot=\"spare\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("postrider_bot_stopped{bot=\"main\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("postrider_breaker_open{target=\"provider:anthropic\"} 1\n"));
    EXPECT_THAT(
        text, HasSubstr("postrider_breaker_openings_total{target=\"provider:anthropic\"} 3\n")
    );
}

TEST(metrics, stay_within_a_bound_whatever_others_name_their_tools_and_models) {
    telemetry::measures measures;
    auto const fill = [&measures](int from, int to) {
        for (int number = from; number < to; ++number) {
            auto const name = "any_" + std::to_string(number);
            measures.tools.of_servers.observe(name, "", 1s);
            measures.models.calls.observe("openai/" + name, "", 1s);
            measures.models.tokens.at("openai/" + name, "input").observe(1);
            measures.models.totals.at("openai/" + name).cached += 1;
        }
    };
    metrics_snapshot now;
    now.measures = &measures;
    fill(0, 200);
    auto const lines = [&now] {
        auto const text = render(now);
        return std::ranges::count(text, '\n');
    };
    auto const before = lines();

    fill(200, 5000);

    EXPECT_EQ(lines(), before);
    EXPECT_THAT(
        render(now),
        HasSubstr(R"(_count{gen_ai_provider_name="_OTHER",gen_ai_request_model="_OTHER")")
    );
}

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
    now.streams = {3, 0, 1};
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
    EXPECT_THAT(text, HasSubstr("postrider_api_streams{of=\"events\"} 3\n"));
    EXPECT_THAT(text, HasSubstr("postrider_api_streams{of=\"conversations\"} 1\n"));
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
