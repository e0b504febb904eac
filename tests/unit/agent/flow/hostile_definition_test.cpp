// What a definition costs that means harm is bounded by what is looked at, not by what it holds.
#include "agent/flow/validate/graph.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::hostile_definition_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;
using tests::problems_of_form;
using tests::read_flow;

std::string joined(std::size_t count, std::function<std::string(std::size_t)> const& part) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += (i ? "," : "") + part(i);
    return all;
}

TEST(hostile_definition, of_ten_megabytes_is_not_read) {
    auto const text =
        flow_text(node_text("a", "set", R"("x":")" + std::string(10u << 20, 'x') + '"'));
    auto const problems = problems_of_form(text);
    ASSERT_THAT(codes(problems), ElementsAre("too_large "));
    EXPECT_THAT(problems[0].message, HasSubstr("4194304"));
}

TEST(hostile_definition, of_a_hundred_thousand_nodes_is_read_up_to_its_limit) {
    // The text is broken behind the limit: whoever reads on finds that.
    auto const nodes = joined(1001, [](auto) { return "{}"; }) + ",{]" +
                       joined(100'000, [](auto) { return ",{}"; });
    EXPECT_THAT(codes(problems_of_form(flow_text(nodes))), ElementsAre("too_many_nodes /nodes"));
    auto const links = joined(5001, [](auto) { return "{}"; }) + ",{]";
    EXPECT_THAT(
        codes(problems_of_form(flow_text("", links))),
        ElementsAre("too_many_connections /connections")
    );
}

TEST(hostile_definition, is_bounded_however_it_was_read) {
    boost::json::array nodes(1001, boost::json::object());
    boost::json::object document{{"format", 1}, {"name", "f"}, {"nodes", nodes}};
    auto const read = read_definition(boost::json::value(document));
    EXPECT_THAT(codes(std::get<std::vector<problem>>(read)), ElementsAre("too_many_nodes /nodes"));
    boost::json::value deep = 1;
    for (int i = 0; i < 40; ++i) deep = boost::json::array{std::move(deep)};
    EXPECT_THAT(
        codes(std::get<std::vector<problem>>(read_definition(deep))), ElementsAre("too_deep ")
    );
}

TEST(hostile_definition, nested_without_end_is_refused) {
    auto const nested = std::string(1'000'000, '[');
    auto const problems = problems_of_form(flow_text(node_text("a", "set", R"("x":)" + nested)));
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems[0].code, "too_deep");
    EXPECT_THAT(problems[0].path, StartsWith("/nodes/0/parameters/x/0/0"));
}

TEST(hostile_definition, gets_a_list_that_a_person_can_read) {
    auto const many = joined(200'000, [](auto) { return R"("k":1)"; });
    auto const problems = problems_of_form("{" + many + "}");
    EXPECT_THAT(problems, SizeIs(101));
    EXPECT_EQ(problems.back().code, "more_problems");

    auto const long_word = std::string(1'000'000, 'x');
    for (auto const& finding :
         problems_of_form(flow_text(node_text(long_word, long_word), link_text(long_word, "y"))))
        EXPECT_LT(to_text(finding).size(), 500u);
}

TEST(hostile_definition, with_many_keys_is_read_in_ordered_time) {
    auto const fields = joined(300'000, [](auto i) { return fmt::format("\"{}\":0", i); });
    auto const flow = read_flow(flow_text(node_text("a", "set", R"("fields":{)" + fields + "}")));
    EXPECT_THAT(flow.nodes, SizeIs(1));
}

std::string repeated(std::size_t count, std::string_view part) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += part;
    return all;
}

std::vector<problem> problems_with(std::string_view fields) {
    return validate(
        read_flow(flow_text(
            node_text("in", "manual") + "," +
                node_text("a", "set", fmt::format(R"("fields":{{{}}})", fields)),
            link_text("in", "a")
        )),
        builtin_types()
    );
}

TEST(hostile_definition, has_so_many_expressions_and_no_more) {
    auto const text = [](std::size_t count) {
        return fmt::format(R"("x":"{}")", repeated(count, "{{1}}"));
    };
    EXPECT_THAT(codes(problems_with(text(10'000))), SizeIs(0));
    EXPECT_THAT(
        codes(problems_with(text(800'000) + R"(,"y":"{{ 1 + }}")")),
        ElementsAre("too_many_expressions /nodes/1/parameters/fields/x")
    );
    auto const spread =
        joined(10'001, [](auto i) { return fmt::format(R"("{}":"{{{{1}}}}")", i); });
    EXPECT_THAT(
        codes(problems_with(spread)),
        ElementsAre("too_many_expressions /nodes/1/parameters/fields/10000")
    );
}

TEST(hostile_definition, has_expressions_of_a_bounded_length_in_all) {
    auto const long_one = fmt::format("{{{{ {}1 }}}}", repeated(1900, "1+"));
    auto const fields =
        joined(900, [&](auto i) { return fmt::format(R"("{}":"{}")", i, long_one); });
    EXPECT_THAT(
        codes(problems_with(fields)),
        ElementsAre("too_many_expressions /nodes/1/parameters/fields/68")
    );
}

// They take longer than anything else to be read.
TEST(hostile_definition, has_few_patterns) {
    auto const fields = joined(470, [](auto i) {
        return fmt::format(R"("{0}":"{{{{ 'a'.matches(r'\\pL{{6}}{0}') }}}}")", i);
    });
    EXPECT_THAT(
        codes(problems_with(fields)),
        ElementsAre("too_many_expressions /nodes/1/parameters/fields/140")
    );
}

TEST(hostile_definition, is_wrong_however_many_warnings_come_first) {
    auto const warned =
        joined(300, [](auto i) { return fmt::format(R"("{}":"{{{{ 1 + }}}}")", i); });
    auto const problems = validate(
        read_flow(flow_text(
            node_text("w", "set", R"("fields":{)" + warned + "}", R"("disabled":true)") + "," +
            node_text("in", "manual") + "," + node_text("a", "stop")
        )),
        builtin_types()
    );
    EXPECT_THAT(problems, SizeIs(101));
    EXPECT_TRUE(any_error(problems));
}

// Each of 70 nodes is connected to all others: some thousand ways back.
TEST(hostile_definition, of_nothing_but_cycles_gets_a_bounded_list) {
    constexpr std::size_t count = 70;
    auto const nodes = joined(count, [](auto i) {
        return node_text(fmt::format("n{}", i), "set", R"("fields":{})");
    });
    std::string links;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
            links += (links.empty() ? "" : ",") +
                     link_text(fmt::format("n{}", i), fmt::format("n{}", j));
    auto const problems = validate(read_flow(flow_text(nodes, links)), builtin_types());
    EXPECT_THAT(problems, SizeIs(101));
    for (auto const& finding : problems) EXPECT_LT(finding.message.size(), 500u);
}

TEST(hostile_definition, of_one_long_chain_is_walked_without_recursion) {
    constexpr std::size_t count = 1000;
    auto const nodes = node_text("n0", "manual") + "," + joined(count - 1, [](auto i) {
                           return node_text(fmt::format("n{}", i + 1), "set", R"("fields":{})");
                       });
    auto const links = joined(count - 1, [](auto i) {
        return link_text(fmt::format("n{}", i), fmt::format("n{}", i + 1));
    });
    EXPECT_THAT(validate(read_flow(flow_text(nodes, links)), builtin_types()), SizeIs(0));
}

} // namespace
} // namespace postrider::agent::flow::hostile_definition_test
