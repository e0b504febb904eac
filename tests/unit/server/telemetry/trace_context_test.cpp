#include "server/telemetry/trace_context.hpp"

#include <gtest/gtest.h>

namespace postrider::telemetry::trace_context_test {
namespace {

constexpr auto whole = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(trace_context, is_read_from_a_traceparent) {
    auto const read = parse_traceparent(whole);

    ASSERT_TRUE(read);
    EXPECT_EQ(read->trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_EQ(read->parent_id, "00f067aa0ba902b7");
    EXPECT_TRUE(read->sampled);
    EXPECT_FALSE(
        parse_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0a")->sampled
    );
}

TEST(trace_context, of_a_later_version_may_say_more) {
    EXPECT_TRUE(
        parse_traceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes")
    );
    EXPECT_FALSE(
        parse_traceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what-comes")
    );
}

TEST(trace_context, is_nothing_where_the_text_is_none) {
    for (auto text : {
             "",
             "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
             "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
             "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
             "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
             "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
             "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
             "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
         })
        EXPECT_FALSE(parse_traceparent(text)) << text;
}

TEST(trace_context, stands_in_the_input_of_a_job_whose_request_has_just_one) {
    boost::json::value with = boost::json::object{};
    boost::json::value without = boost::json::object{};
    boost::json::value with_two = boost::json::object{};
    net::http_request request;
    continue_trace(without, request);
    request.headers.add("Traceparent", whole);
    continue_trace(with, request);
    request.headers.add("traceparent", whole);
    continue_trace(with_two, request);

    EXPECT_EQ(with, (boost::json::object{{"traceparent", whole}}));
    EXPECT_EQ(without, boost::json::object{});
    EXPECT_EQ(with_two, boost::json::object{});
}

} // namespace
} // namespace postrider::telemetry::trace_context_test
