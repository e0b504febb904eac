#include "agent/flow/lane_key.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::flow::lane_key_test {
namespace {

using testing::MatchesRegex;
using tests::flow_text;
using tests::node_text;
using tests::read_flow;

std::string key(std::string const& lane, boost::json::object item) {
    auto const flow = read_flow(
        flow_text(node_text("in", "manual"), "", R"("variables":{"team":7},"lane":")" + lane + '"')
    );
    return lane_key(flow, std::move(item));
}

TEST(lane_key, is_what_the_settings_come_to) {
    EXPECT_EQ(key("{{ $json.user }} of {{ $vars.team }}", {{"user", 46}}), "flow:test:46 of 7");
}

TEST(lane_key, is_nothing_where_the_settings_come_to_nothing) {
    EXPECT_EQ(key("", {}), "");
    EXPECT_EQ(key("{{ $json.user }}", {}), "") << "not there";
    EXPECT_EQ(key("{{ $json.user }}", {{"user", ""}}), "");
}

// An index of Postgres refuses long keys, and its texts U+0000.
TEST(lane_key, of_what_no_key_can_hold_is_its_digest) {
    std::string const longest(200, 'a');
    EXPECT_EQ(key("{{ $json.text }}", {{"text", longest}}), "flow:test:" + longest);
    auto const digest = MatchesRegex("flow:test:sha256:[0-9a-f]+");
    EXPECT_THAT(key("{{ $json.text }}", {{"text", longest + "a"}}), digest);
    EXPECT_NE(
        key("{{ $json.text }}", {{"text", longest + "a"}}),
        key("{{ $json.text }}", {{"text", longest + "b"}})
    );
    EXPECT_THAT(key("{{ $json.text }}", {{"text", std::string("a\0b", 3)}}), digest);
}

TEST(lane_key, of_one_execution_alone_is_told_from_those_that_come_again) {
    auto const without = read_flow(flow_text(node_text("in", "manual"), "", ""));
    auto const own = lane_or_own(without, {}, base::system_random());

    EXPECT_TRUE(is_own_lane(own)) << own;
    for (auto const* again : {"flow:test", "flow:test:a/b", "1:7:0", "chat:1/2", "flow:"})
        EXPECT_FALSE(is_own_lane(again)) << again;
}

} // namespace
} // namespace postrider::agent::flow::lane_key_test
