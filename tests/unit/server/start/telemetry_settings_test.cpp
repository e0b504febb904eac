#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::telemetry_settings_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

loaded_config with_headers(std::string_view text) {
    return from_file(
        "[telemetry]\notlp_endpoint = \"http://localhost:4318\"\notlp_headers = \"" +
        std::string(text) + "\""
    );
}

// covers: X.18
TEST(telemetry_settings, have_the_names_of_opentelemetry) {
    auto const loaded = from_file(
        "",
        {{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://otel.example.org/otlp"},
         {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=s3cret,X-Tenant=my%20shop"},
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
    for (auto text :
         {"s3cret",
          "=s3cret",
          "a@b=s3cret",
          "a=s3cret%0d%0aX:%20y",
          "a=s3cret%zz",
          "host=s3cret",
          "Content-Type=s3cret"}) {
        auto const problems = with_headers(text).problems;
        EXPECT_THAT(problems, Contains(HasSubstr("telemetry.otlp_headers: "))) << text;
        EXPECT_THAT(problems, Not(Contains(HasSubstr("s3cret")))) << text;
    }
}

TEST(telemetry_settings, tell_mistakes_of_headers_apart) {
    EXPECT_THAT(with_headers("s3cret").problems, Contains(HasSubstr("name=value")));
    EXPECT_THAT(with_headers("a@b=s3cret").problems, Contains(HasSubstr("no name of a header")));
    EXPECT_THAT(with_headers("a=s3cret%zz").problems, Contains(HasSubstr("two hex digits")));
    EXPECT_THAT(with_headers("Host=s3cret").problems, Contains(HasSubstr("sets itself")));
}

TEST(telemetry_settings, can_be_switched_off_as_opentelemetry_has_it) {
    for (auto const& [variable, value] :
         {std::pair{"OTEL_SDK_DISABLED", "TRUE"}, std::pair{"OTEL_TRACES_EXPORTER", "none"}}) {
        auto const loaded =
            from_file("", {{"OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4317"}, {variable, value}});

        EXPECT_THAT(loaded.problems, IsEmpty()) << variable;
        EXPECT_EQ(loaded.values.telemetry.endpoint, "") << variable;
        EXPECT_EQ(loaded.values.telemetry.unusable, "") << variable;
    }
}

TEST(telemetry_settings, that_other_programs_share_stop_nothing) {
    auto const shared = from_file("", {{"OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4317"}});
    auto const headers = from_file(
        "",
        {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318"},
         {"OTEL_EXPORTER_OTLP_HEADERS", "s3cret"}}
    );

    EXPECT_THAT(shared.problems, IsEmpty());
    EXPECT_EQ(shared.values.telemetry.endpoint, "");
    EXPECT_THAT(shared.values.telemetry.unusable, HasSubstr("gRPC"));
    EXPECT_THAT(headers.problems, IsEmpty());
    EXPECT_EQ(headers.values.telemetry.endpoint, "");
    EXPECT_THAT(headers.values.telemetry.unusable, HasSubstr("name=value"));
    EXPECT_THAT(
        from_file("[telemetry]\notlp_endpoint = \"localhost:4317\"").problems,
        Contains(HasSubstr("gRPC"))
    );
}

} // namespace
} // namespace postrider::server::telemetry_settings_test
