#include "tests/unit/server/config/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// covers: X.18
TEST(telemetry_settings, have_the_names_of_opentelemetry) {
    auto const loaded = from_file(
        "",
        {{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://otel.example.org/otlp"},
         {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=s3cret, X-Tenant=my%20shop"},
         {"OTEL_SERVICE_NAME", "shop"}}
    );

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& telemetry = loaded.values.telemetry;
    EXPECT_EQ(telemetry.endpoint, "https://otel.example.org/otlp");
    EXPECT_EQ(telemetry.service, "shop");
    ASSERT_EQ(telemetry.headers.size(), 2u);
    EXPECT_EQ(telemetry.headers[0].first, "api-key");
    EXPECT_EQ(telemetry.headers[0].second.reveal(), "s3cret");
    EXPECT_EQ(telemetry.headers[1].second.reveal(), "my shop");
}

TEST(telemetry_settings, nothing_said_is_no_traces) {
    auto const loaded = from_file("");

    EXPECT_EQ(loaded.values.telemetry.endpoint, "");
    EXPECT_EQ(loaded.values.telemetry.service, "postrider");
    EXPECT_THAT(loaded.values.telemetry.headers, IsEmpty());
}

TEST(telemetry_settings, tell_mistakes_without_the_secret) {
    EXPECT_THAT(
        from_file("[telemetry]\notlp_endpoint = \"http://u:p@localhost:4318\"").problems,
        Contains(HasSubstr("telemetry.otlp_endpoint: "))
    );
    for (auto text : {"s3cret", "=s3cret", "a b=s3cret", "a=s3cret%0d%0aX: y", "a=s3cret%zz"}) {
        auto const problems =
            from_file(std::string("[telemetry]\notlp_headers = \"") + text + "\"").problems;
        EXPECT_THAT(problems, Contains(HasSubstr("telemetry.otlp_headers: "))) << text;
        EXPECT_THAT(problems, Not(Contains(HasSubstr("s3cret")))) << text;
    }
}

} // namespace
} // namespace postrider::server
