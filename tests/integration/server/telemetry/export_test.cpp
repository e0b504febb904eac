// Traces of real turns, read from a real Postgres and posted to a real HTTP server.
#include "server/telemetry/exporter.hpp"
#include "tests/integration/server/api/conversations_world.hpp"
#include "tests/support/fake_collector.hpp"
#include "tests/support/held_lock.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::export_test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using telemetry::exporter;
using testing::HasSubstr;
using testing::Not;

base::awaitable<bool> comes_true(std::function<bool()> condition) {
    for (int i = 0; i < 500; ++i) {
        if (condition()) co_return true;
        co_await base::sleep_for(20ms);
    }
    co_return false;
}

std::int64_t instant(json::object const& span, std::string_view of) {
    return std::stoll(std::string(span.at(of).as_string()));
}

class exports : public conversations {
protected:
    exports() { server.start_engine(); }
    ~exports() override {
        if (traces) server.io.run(traces->close());
    }

    void export_with(telemetry::export_pace pace) {
        export_with(pace, database.options(), collector.address());
    }
    void export_with(telemetry::export_pace pace, storage::database_options options) {
        export_with(pace, std::move(options), collector.address());
    }
    void export_with(
        telemetry::export_pace pace, storage::database_options options, std::string address
    ) {
        telemetry::model_names::entries models;
        models["default"].provider = "anthropic";
        models["default"].model = "claude-haiku-4-5";
        telemetry::options to{std::move(address)};
        to.headers.emplace_back("api-key", base::secret("s3cret"));
        to.service = "shop";
        exporter::services with{
            server.io.executor(),
            std::move(options),
            *server.client,
            base::system_clock(),
            base::system_random()};
        traces = std::make_unique<exporter>(
            std::move(with), std::move(to), telemetry::model_names(models), pace
        );
    }

    // Jobs that were told of before the start are in one batch.
    static telemetry::export_pace at_once() { return {.settle = 0ms, .retry = 10ms}; }
    static telemetry::export_pace quick() { return {.settle = 1ms, .retry = 10ms}; }

    // A turn that has ended; its request has the header unless that is "".
    job_id ask_a_question(std::string traceparent = "") {
        auto first = calls({{"calculator", {{"expression", "6*7"}}}});
        auto second = says("It is forty-two.");
        for (auto* reply : {&first, &second}) {
            reply->model = "claude-haiku-4-5-20251001";
            reply->usage.input = 12;
            reply->usage.output = 5;
        }
        server.model.script = {first, second};
        net::header_list headers{{"Authorization", "Bearer " + tokens.at("alice")}};
        if (!traceparent.empty()) headers.add("traceparent", std::move(traceparent));
        auto const answer = server.send(
            "POST",
            "/api/v1/conversations" + begin() + "?wait=20",
            std::move(headers),
            R"({"text": "the secret question"})"
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
        return job_id{json::parse(answer.body).at("job_id").as_int64()};
    }

    bool collects(std::size_t requests) {
        return server.io.run(
            comes_true([this, requests] { return collector.requests().size() >= requests; }), 15s
        );
    }
    bool counts(std::function<bool(telemetry::trace_counts const&)> condition) {
        return server.io.run(
            comes_true([this, condition] { return condition(*traces->counts()); }), 15s
        );
    }

    fake_collector collector;
    std::unique_ptr<exporter> traces;
};

// covers: X.18
TEST_F(exports, send_a_turn_as_the_record_has_it_without_any_text) {
    export_with(quick());
    traces->start();
    auto const job = ask_a_question();

    traces->job_ended(job);

    ASSERT_TRUE(collects(1));
    auto const request = collector.requests().front();
    EXPECT_EQ(request.path, "/v1/traces");
    EXPECT_EQ(request.headers.at("content-type"), "application/json");
    EXPECT_EQ(request.headers.at("api-key"), "s3cret");
    auto const spans = collector.spans();
    auto const turn = span_named(spans, "turn assistant");
    EXPECT_EQ(attribute_of(turn, "postrider.job.id"), base::to_string(job));
    EXPECT_EQ(attribute_of(turn, "postrider.job.state"), "completed");
    EXPECT_FALSE(turn.contains("parentSpanId"));
    auto const agent = span_named(spans, "invoke_agent assistant");
    EXPECT_EQ(agent.at("parentSpanId"), turn.at("spanId"));
    auto const call = span_named(spans, "chat claude-haiku-4-5");
    EXPECT_EQ(call.at("parentSpanId"), agent.at("spanId"));
    EXPECT_EQ(attribute_of(call, "gen_ai.provider.name"), "anthropic");
    EXPECT_EQ(attribute_of(call, "gen_ai.usage.input_tokens"), "12");
    EXPECT_EQ(attribute_of(call, "gen_ai.usage.output_tokens"), "5");
    auto const tool = span_named(spans, "execute_tool calculator");
    EXPECT_EQ(tool.at("parentSpanId"), agent.at("spanId"));
    // Instants of two commits are estimates, each from its own look at Postgres' clock.
    constexpr std::int64_t tolerance = 100'000'000;
    EXPECT_LE(instant(call, "endTimeUnixNano"), instant(tool, "startTimeUnixNano") + tolerance);
    EXPECT_LT(instant(call, "endTimeUnixNano"), instant(turn, "endTimeUnixNano"));
    EXPECT_NO_THROW(span_named(spans, "send chat"));
    for (auto const& span : spans)
        EXPECT_LE(instant(span, "startTimeUnixNano"), instant(span, "endTimeUnixNano"));
    EXPECT_THAT(request.text, Not(HasSubstr("secret question")));
    EXPECT_THAT(request.text, Not(HasSubstr("forty-two")));
    EXPECT_THAT(request.text, Not(HasSubstr("6*7")));
    EXPECT_TRUE(counts([](auto const& now) { return now.exported == 1 && now.waiting == 0; }));
}

// covers: X.18
TEST_F(exports, go_on_with_the_trace_of_the_request) {
    export_with(quick());
    traces->start();

    traces->job_ended(ask_a_question("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));

    ASSERT_TRUE(collects(1));
    auto const spans = collector.spans();
    for (auto const& span : spans)
        EXPECT_EQ(span.at("traceId").as_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_EQ(
        span_named(spans, "turn assistant").at("parentSpanId").as_string(), "00f067aa0ba902b7"
    );
}

TEST_F(exports, try_again_when_the_collector_says_so_with_the_same_ids) {
    export_with(quick());
    collector.answer({{503, "{}", "0"}, {429, "{}"}});
    traces->start();

    traces->job_ended(ask_a_question());

    ASSERT_TRUE(collects(3));
    auto const requests = collector.requests();
    EXPECT_EQ(requests[0].text, requests[1].text);
    EXPECT_EQ(requests[0].text, requests[2].text);
    EXPECT_TRUE(counts([](auto const& now) { return now.exported == 1 && now.dropped == 0; }));
}

TEST_F(exports, drop_what_the_collector_refuses_and_go_on) {
    export_with(quick());
    collector.answer({{400, "{}"}, {200, R"({"partialSuccess": {"rejectedSpans": "2"}})"}});
    traces->start();

    traces->job_ended(ask_a_question());
    ASSERT_TRUE(counts([](auto const& now) { return now.dropped == 1; }));
    traces->job_ended(ask_a_question());

    EXPECT_TRUE(counts([](auto const& now) {
        return now.exported == 1 && now.dropped == 1 && now.rejected_spans == 2;
    }));
    EXPECT_EQ(collector.requests().size(), 2u);
}

TEST_F(exports, wait_in_a_bounded_queue) {
    auto pace = quick();
    pace.most_waiting = 2;
    export_with(pace);

    for (auto job : {1, 2, 3}) traces->job_ended(job_id{job});

    EXPECT_EQ(traces->counts()->waiting, 2u);
    EXPECT_EQ(traces->counts()->dropped, 1u);
}

TEST_F(exports, leave_out_jobs_that_are_not_over) {
    export_with(quick());
    auto const over = ask_a_question();
    traces->start();

    traces->job_ended(job_id{999'999});
    ASSERT_TRUE(counts([](auto const& now) { return now.waiting == 0; }));
    traces->job_ended(over);

    ASSERT_TRUE(collects(1));
    EXPECT_THAT(
        collector.requests().front().text,
        HasSubstr(R"({"key":"postrider.job.id","value":{"intValue":")" + base::to_string(over))
    );
    EXPECT_EQ(traces->counts()->dropped, 1u) << "nobody saw its end";
}

TEST_F(exports, tell_a_job_once_that_was_told_of_twice) {
    export_with(at_once());
    auto const job = ask_a_question();
    traces->job_ended(job);
    traces->job_ended(job);
    traces->start();

    ASSERT_TRUE(counts([](auto const& now) { return now.exported == 1 && now.waiting == 0; }));
    EXPECT_EQ(collector.requests().size(), 1u);
    EXPECT_EQ(traces->counts()->dropped, 0u);
}

TEST_F(exports, read_again_for_as_long_as_the_record_cannot_be_read) {
    auto impatient = database.options();
    impatient.statement_timeout = 50ms;
    export_with(quick(), impatient);
    auto const job = ask_a_question();
    held_lock lock(database.url(), "lock table postrider.step in access exclusive mode");
    traces->start();
    traces->job_ended(job);
    server.io.run(base::sleep_for(1500ms));
    EXPECT_EQ(traces->counts()->dropped, 0u);
    EXPECT_EQ(traces->counts()->waiting, 1u);

    lock.release();

    EXPECT_TRUE(counts([](auto const& now) { return now.exported == 1 && now.dropped == 0; }));
}

TEST_F(exports, go_on_after_a_read_that_is_a_defect) {
    export_with(quick());
    auto const jobs = {ask_a_question(), ask_a_question()};
    database.execute("alter table postrider.step rename to step_away");
    for (auto const job : jobs) traces->job_ended(job);
    traces->start();
    ASSERT_TRUE(counts([](auto const& now) { return now.dropped == 2 && now.waiting == 0; }));
    database.execute("alter table postrider.step_away rename to step");

    for (auto const job : jobs) traces->job_ended(job);

    EXPECT_TRUE(counts([](auto const& now) { return now.exported == 2; }));
}

TEST_F(exports, send_jobs_one_by_one_where_the_collector_refuses_them_together) {
    export_with(at_once());
    collector.answer({{413, "{}"}, {413, "{}"}});
    traces->job_ended(ask_a_question());
    traces->job_ended(ask_a_question());
    traces->start();

    EXPECT_TRUE(counts([](auto const& now) { return now.exported == 1 && now.dropped == 1; }));
    EXPECT_EQ(collector.requests().size(), 3u);
}

TEST_F(exports, send_a_bounded_number_of_spans_in_a_request) {
    auto pace = at_once();
    pace.most_spans = 1;
    export_with(pace);
    traces->job_ended(ask_a_question());
    traces->job_ended(ask_a_question());
    traces->start();

    EXPECT_TRUE(counts([](auto const& now) { return now.exported == 2; }));
    EXPECT_EQ(collector.requests().size(), 2u);
}

TEST_F(exports, count_a_long_answer_of_success_as_one) {
    export_with(quick());
    collector.answer({{200, std::string(100'000, ' ')}});
    traces->start();

    traces->job_ended(ask_a_question());

    EXPECT_TRUE(counts([](auto const& now) { return now.exported == 1 && now.dropped == 0; }));
    EXPECT_EQ(collector.requests().size(), 1u);
}

TEST_F(exports, end_within_their_time_though_the_collector_hangs) {
    boost::asio::ip::tcp::acceptor silent{
        server.io.context, {boost::asio::ip::address_v4::loopback(), 0}};
    auto pace = quick();
    pace.farewell = 50ms;
    export_with(
        pace,
        database.options(),
        "http://127.0.0.1:" + std::to_string(silent.local_endpoint().port())
    );
    traces->start();
    traces->job_ended(ask_a_question());

    auto const began = std::chrono::steady_clock::now();
    server.io.run(traces->close());

    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    EXPECT_EQ(traces->counts()->dropped, 1u);
    EXPECT_EQ(traces->counts()->waiting, 0u);
    traces.reset();
}

TEST_F(exports, send_what_waits_when_they_are_closed) {
    auto pace = quick();
    pace.settle = 1h;
    export_with(pace);
    traces->start();
    traces->job_ended(ask_a_question());

    server.io.run(traces->close());

    EXPECT_EQ(collector.requests().size(), 1u);
    EXPECT_EQ(traces->counts()->exported, 1u);
    traces.reset();
}

TEST_F(exports, are_off_without_a_collector) {
    exporter none(
        {server.io.executor(),
         database.options(),
         *server.client,
         base::system_clock(),
         base::system_random()},
        {},
        telemetry::model_names({})
    );
    queue::job_kind kind;
    kind.name = "turn";

    EXPECT_FALSE(none.is_on());
    EXPECT_FALSE(none.counts());
    EXPECT_FALSE(none.watched(kind).failed) << "it is as it was";
}

} // namespace
} // namespace postrider::tests::export_test
