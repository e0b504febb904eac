// A tool of a server as an agent's model is offered it, and what a model reads of its result.
#include "agent/flow/parts/mcp_tool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::mcp_tool_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
namespace mcp = agent::mcp;
using testing::SizeIs;

TEST(mcp_tool, has_a_name_that_every_provider_takes) {
    EXPECT_EQ(flow::mcp_tool_name("files", "read-all_2"), "files_read-all_2");
    auto const dotted = flow::mcp_tool_name("files", "read.all");
    EXPECT_THAT(dotted, testing::MatchesRegex("files_read_all_[0-9a-f]{8}"));
    EXPECT_NE(flow::mcp_tool_name("files", "read_all"), dotted);
    auto const longer = flow::mcp_tool_name("files", std::string(128, 'x'));
    EXPECT_EQ(longer.size(), 64U);
    EXPECT_NE(longer, flow::mcp_tool_name("files", std::string(127, 'x')));
}

TEST(mcp_tool, has_the_risk_and_the_class_that_its_hints_say) {
    auto offered = [](mcp::tool_annotations hints) {
        mcp::tool_definition tool;
        tool.name = "echo";
        tool.title = "Echo";
        tool.annotations = hints;
        return flow::offer_mcp_tool(nullptr, "files", tool);
    };
    auto const reads = offered({.read_only = true});
    EXPECT_EQ(reads.risk({}, {}), agent::risk::low);
    EXPECT_EQ(reads.effect_class({}, {}), queue::effect_class::pure);
    EXPECT_EQ(reads.spec.description, "Echo");
    auto const changes = offered({.destructive = false, .idempotent = true});
    EXPECT_EQ(changes.risk({}, {}), agent::risk::medium);
    EXPECT_EQ(changes.effect_class({}, {}), queue::effect_class::idempotent);
    auto silent = offered({});
    EXPECT_EQ(silent.risk({}, {}), agent::risk::high) << "nobody says that it is harmless";
    EXPECT_EQ(silent.effect_class({}, {}), queue::effect_class::at_most_once);
    flow::configure(silent, {{"files_echo", {.risk = agent::risk::low}}});
    EXPECT_EQ(silent.risk({}, {}), agent::risk::low) << "the operator knows";
}

TEST(mcp_tool, that_failed_says_why_and_one_that_did_not_gives_all_its_parts) {
    mcp::tool_result failed{{mcp::text_content{"no such file"}}, {}, true};
    EXPECT_EQ(flow::output_of(failed).error(), base::errc::refused);
    EXPECT_EQ(flow::output_of(failed).error().detail, "no such file");

    mcp::tool_result const result{
        {mcp::text_content{"two"},
         mcp::text_content{"lines"},
         mcp::image_content{"image/png", "AAEC"},
         mcp::resource_link{"file:///a", "a", "the first", ""},
         mcp::embedded_resource{"file:///b", "text/plain", "b's text", ""},
         mcp::unknown_content{"hologram"}},
        json::value{{"rows", 2}},
        false};
    auto const output = flow::output_of(result).value();
    EXPECT_EQ(
        output.text,
        "two\nlines\na <file:///a> the first\nb's text\n"
        "(a part of the kind \"hologram\", which is not read here)"
    );
    ASSERT_THAT(output.media, SizeIs(1));
    EXPECT_EQ(output.media[0].bytes, std::string("\0\1\2", 3));
    EXPECT_EQ(output.value, (json::value{{"rows", 2}}));
}

TEST(mcp_tool, says_plainly_what_it_got_without_data) {
    mcp::tool_result const result{
        {mcp::text_content{""},
         mcp::image_content{"", ""},
         mcp::audio_content{"audio/wav", ""},
         mcp::unknown_content{""},
         mcp::text_content{"good"}},
        {},
        false};

    auto const output = flow::output_of(result).value();

    EXPECT_EQ(
        output.text,
        "(the image has no data)\n(the sound has no data)\n"
        "(a part without a kind, which is not read here)\ngood"
    );
    EXPECT_THAT(output.media, SizeIs(0));
}

} // namespace
} // namespace postrider::tests::mcp_tool_test
