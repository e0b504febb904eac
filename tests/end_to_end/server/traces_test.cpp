// The real binary tells a collector of its turns.
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/fake_collector.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::traces_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// covers: X.18
TEST(traces, of_turns_reach_the_configured_collector) {
    fake_collector collector;
    scene s{
        {{"OTEL_EXPORTER_OTLP_ENDPOINT", collector.address()},
         {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=the%20key"},
         {"OTEL_SERVICE_NAME", "shop"}}};
    s.models.script(fake_reply::saying("It is 42."));
    s.product().start();

    s.say(alice, "What is 6*7?");

    ASSERT_TRUE(s.replies(1));
    ASSERT_TRUE(collector.wait_for(1)) << s.product().log();
    auto const request = collector.requests().front();
    EXPECT_EQ(request.headers.at("api-key"), "the key");
    EXPECT_THAT(request.text, HasSubstr(R"({"stringValue":"shop"})"));
    EXPECT_THAT(request.text, Not(AnyOf(HasSubstr("6*7"), HasSubstr("It is 42"))));
    auto const spans = collector.spans();
    auto const turn = span_named(spans, "turn assistant");
    EXPECT_EQ(attribute_of(turn, "postrider.job.id"), s.value("select job_id from postrider.job"));
    EXPECT_EQ(
        attribute_of(span_named(spans, "invoke_agent assistant"), "gen_ai.provider.name"),
        "anthropic"
    );
    EXPECT_EQ(attribute_of(span_named(spans, "send telegram"), "postrider.effect.state"), "done");
    EXPECT_TRUE(eventually([&] {
        auto const metrics = get(s.product().port(), "/metrics").body;
        return metrics.find("postrider_traces_total{outcome=\"exported\"} 1") != metrics.npos;
    }));
    EXPECT_THAT(s.product().log(), Not(HasSubstr("the key")));
}

TEST(traces, that_no_collector_takes_hold_nothing_up) {
    scene s{{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"}}};
    s.product().start();

    s.introduce();

    EXPECT_EQ(s.product().stop(), 0) << s.product().log();
    EXPECT_THAT(s.product().log(), HasSubstr("telemetry.not_exported"));
}

} // namespace
} // namespace postrider::tests::traces_test
