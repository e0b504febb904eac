// items.merge: several branches become one, whichever of them brought items.
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::joins_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::string members(json::object const& parameters) {
    auto const text = base::json_text(parameters);
    return text.substr(1, text.size() - 2);
}

// Two lists of the manual trigger's item that meet, and a message for each item that comes out.
std::string meeting(json::object const& merge) {
    auto const split = [](std::string_view name) {
        return node_text(name, "items.split", fmt::format(R"("list":"{{{{ $json.{} }}}}")", name));
    };
    return flow_text(
        node_text("In", "manual") + "," + split("a") + "," + split("b") + "," +
            node_text("Merge", "items.merge", members(merge)) + "," +
            node_text("Send", "telegram.send", R"("text":"= {{ $json }}","bot":"fern","chat":9)"),
        link_text("In", "a") + "," + link_text("In", "b") + "," +
            link_text("a", "Merge", R"("input":"first")") + "," +
            link_text("b", "Merge", R"("input":"second")") + "," + link_text("Merge", "Send")
    );
}

struct joined {
    std::string items; // or the error
    std::size_t sent = 0;
};

joined join(json::object const& merge, std::string_view input) {
    flow_world world(meeting(merge));
    auto const outcome = world.run(base::parse_json(input).value());
    if (outcome.state == queue::job_state::failed) return {to_string(outcome.error)};
    std::string texts;
    for (auto const& message : world.chat.sent) texts += message.content.text.substr(2) + " ";
    return {texts, world.chat.sent.size()};
}

constexpr std::string_view two_lists =
    R"({"a":[{"id":1,"n":"a1"},{"id":2,"n":"a2"}],"b":[{"id":2,"m":"b2"},{"id":3,"m":"b3"}]})";

TEST(join, puts_the_lists_of_the_branches_behind_each_other) {
    EXPECT_EQ(
        join({}, R"({"a":[{"n":1}],"b":[{"n":2},{"n":3}]})").items, R"({"n":1} {"n":2} {"n":3} )"
    );
}

TEST(join, makes_one_item_of_two_results_so_that_the_next_node_acts_once) {
    auto const met =
        join({{"mode", "by_position"}}, R"({"a":[{"n":1,"k":1}],"b":[{"m":2,"k":2}]})");
    EXPECT_EQ(met.items, R"({"n":1,"k":2,"m":2} )");
    EXPECT_EQ(met.sent, 1u);
    EXPECT_EQ(
        join(
            {{"mode", "by_position"}, {"prefer", "first"}},
            R"({"a":[{"n":1,"k":1}],"b":[{"m":2,"k":2}]})"
        )
            .items,
        R"({"n":1,"k":1,"m":2} )"
    );
}

TEST(join, keeps_what_it_is_told_of_incomplete_pairs) {
    auto const kept = [](std::string_view keep) {
        return join({{"mode", "by_key"}, {"key", "{{ $json.?id }}"}, {"keep", keep}}, two_lists)
            .items;
    };
    constexpr std::string_view both = R"({"id":2,"n":"a2","m":"b2"} )";
    constexpr std::string_view only_a = R"({"id":1,"n":"a1"} )";
    constexpr std::string_view only_b = R"({"id":3,"m":"b3"} )";
    EXPECT_EQ(kept("matches"), both);
    EXPECT_EQ(kept("first"), std::string(only_a) + std::string(both));
    EXPECT_EQ(kept("all"), std::string(only_a) + std::string(both) + std::string(only_b));
    EXPECT_EQ(kept("unmatched"), std::string(only_a) + std::string(only_b));
}

TEST(join, pairs_each_item_with_each_of_the_same_key_and_none_without) {
    EXPECT_EQ(
        join(
            {{"mode", "by_key"}, {"key", "{{ $json.?k }}"}},
            R"({"a":[{"k":1,"n":1},{"k":1,"n":2},{"n":3}],"b":[{"k":1,"m":1},{"m":2}]})"
        )
            .items,
        R"({"k":1,"n":1,"m":1} {"k":1,"n":2,"m":1} )"
    );
}

TEST(join, chooses_the_items_of_one_branch) {
    EXPECT_EQ(join({{"mode", "choose"}}, R"({"a":[],"b":[{"n":2}]})").items, R"({"n":2} )");
    EXPECT_EQ(
        join({{"mode", "choose"}, {"choice", "second"}}, R"({"a":[{"n":1}],"b":[{"n":2}]})").items,
        R"({"n":2} )"
    );
    EXPECT_EQ(
        join({{"mode", "choose"}, {"choice", "second"}}, R"({"a":[{"n":1}],"b":[]})").items, ""
    );
}

// covers: S3.17
TEST(join, does_what_its_document_says_where_a_branch_brings_nothing) {
    auto const missing = [](std::string_view word) {
        return join({{"when_missing", word}}, R"({"a":[{"n":1}],"b":[]})");
    };
    EXPECT_EQ(missing("continue").items, R"({"n":1} )");
    EXPECT_EQ(missing("skip").items, "");
    EXPECT_EQ(missing("fail").items, "not_found: Merge: no items came to second");
}

TEST(join, gives_a_thousand_pairs_and_no_more) {
    json::array list;
    for (int at = 0; at < 40; ++at) list.push_back(json::object{{"k", 1}});
    json::object const input{{"a", list}, {"b", list}};
    EXPECT_THAT(
        join({{"mode", "by_key"}, {"key", "{{ $json.k }}"}}, base::json_text(input)).items,
        HasSubstr("too_large: Merge")
    );
}

// Both ways of an If lead to it, and a branch whose failure is an item.
TEST(join, runs_once_behind_ways_that_exclude_each_other_and_a_branch_that_failed) {
    auto const document = flow_text(
        node_text("In", "manual") + "," +
            node_text("If", "if", R"("condition":"{{ $json.n > 1 }}")") + "," +
            node_text("Stop", "stop", R"("message":"no stock")", R"("on_error":"error_output")") +
            "," + node_text("Merge", "items.merge"),
        link_text("In", "If") + "," + link_text("In", "Stop") + "," +
            link_text("If", "Merge", R"("output":"true","input":"first")") + "," +
            link_text("If", "Merge", R"("output":"false","input":"second")") + "," +
            link_text("Stop", "Merge", R"("output":"error","input":"third")")
    );
    for (int n : {1, 2}) {
        flow_world world(document);
        world.side_by_side = true;
        auto const outcome = world.run(json::object{{"n", n}});
        EXPECT_THAT(outcome.output.at("items").as_array(), SizeIs(2)) << world.ended(outcome);
        EXPECT_EQ(std::ranges::count(world.told, "> Merge"), 1);
    }
}

} // namespace
} // namespace postrider::tests::joins_test
