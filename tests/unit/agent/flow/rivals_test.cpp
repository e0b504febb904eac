#include "agent/flow/catalog.hpp"
#include "agent/flow/library/rivals.hpp"
#include "tests/support/flow_builder.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::rivals_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

definition hearing(std::string_view name, std::string_view parameters = "{}") {
    auto const text =
        tests::flow_builder(name)
            .trigger("M", "manual")
            .trigger("T", "telegram.message", boost::json::parse(parameters).as_object())
            .text();
    return std::get<definition>(read_definition(text));
}

auto warning(std::string const& words) {
    return AllOf(
        Field(&problem::code, "rivalled_trigger"),
        Field(&problem::path, "/nodes/1"),
        Field(&problem::node, "T"),
        Field(&problem::severity, severity::warning),
        Field(&problem::message, HasSubstr(words))
    );
}

std::vector<problem> told(
    definition const& flow,
    std::vector<definition> const& others,
    std::vector<std::string> const& agents = {}
) {
    static catalog const types = builtin_types();
    return rivalled_triggers(flow, others, agents, types);
}

TEST(flow_rivals, one_that_asks_for_nothing_never_starts_beside_the_assistant) {
    std::vector<definition> const others{hearing("assistant")};

    EXPECT_THAT(told(hearing("mine"), others), ElementsAre(warning("starts the flow assistant")));
    EXPECT_THAT(
        told(hearing("aaa"), others, {"assistant"}), ElementsAre(warning("the flow assistant"))
    );
    EXPECT_THAT(told(hearing("mine"), others, {"assistant", "mine"}), IsEmpty());
    EXPECT_THAT(told(hearing("mine", R"({"bots": ["main"]})"), others), IsEmpty());
}

TEST(flow_rivals, the_assistant_takes_what_is_its_own) {
    std::vector<definition> const others{hearing("aaa")};

    EXPECT_THAT(told(hearing("assistant"), others), IsEmpty());
    EXPECT_THAT(told(hearing("assistant"), others, {"aaa"}), ElementsAre(warning("the flow aaa")));
}

TEST(flow_rivals, without_the_assistant_names_decide_among_those_that_ask_for_nothing) {
    std::vector<definition> const others{hearing("mmm")};

    EXPECT_THAT(told(hearing("zzz"), others), ElementsAre(warning("starts the flow mmm")));
    EXPECT_THAT(
        told(hearing("aaa"), others), ElementsAre(warning("takes messages from the flow mmm"))
    );
    EXPECT_THAT(told(hearing("aaa"), {}), IsEmpty());
}

TEST(flow_rivals, of_those_that_ask_for_as_much_both_are_told_who_wins) {
    auto const report = R"({"commands": ["/report", "/day"]})";
    std::vector<definition> const others{hearing("mmm", R"({"commands": ["/day"]})")};

    EXPECT_THAT(told(hearing("zzz", report), others), ElementsAre(warning("start the flow mmm")));
    EXPECT_THAT(
        told(hearing("aaa", report), others),
        ElementsAre(warning("takes messages from the flow mmm"))
    );
    EXPECT_THAT(told(hearing("zzz", R"({"commands": ["/week"]})"), others), IsEmpty());
    EXPECT_THAT(told(hearing("zzz", R"({"chats": [7]})"), others), IsEmpty()) << "the rule decides";
}

} // namespace
} // namespace postrider::agent::flow::rivals_test
