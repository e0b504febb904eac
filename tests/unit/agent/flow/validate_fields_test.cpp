// Fields of the items that start a flow, named in expressions.
#include "agent/flow/catalog.hpp"
#include "agent/flow/nodes/read_node_type.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_fields_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;

std::vector<problem> validated(
    std::string const& nodes, std::string const& links, std::string_view settings = ""
) {
    static catalog const types = builtin_types();
    return validate(tests::read_flow(flow_text(nodes, links, settings)), types);
}

std::string set(std::string_view name, std::string_view expression, std::string_view more = "") {
    auto const text = boost::json::serialize(boost::json::string_view(expression));
    return node_text(name, "set", fmt::format(R"("fields":{{"x":{}}}{})", text, more));
}

// What stands behind a trigger of that type.
std::vector<problem> behind(std::string_view type, std::string_view expression) {
    auto const given = type == "webhook"    ? R"("path":"p","secret":"s")"
                       : type == "schedule" ? R"("cron":"0 9 * * *")"
                                            : "";
    return validated(
        node_text("in", type, given) + "," + set("out", expression), link_text("in", "out")
    );
}

auto const wrong = ElementsAre("unknown_field /nodes/1/parameters/fields/x (warning)");

TEST(validate_fields, suggests_the_field_that_was_meant) {
    auto const found = behind("telegram.message", "Hello {{ $json.txt }}");
    ASSERT_THAT(codes(found), wrong);
    EXPECT_EQ(found[0].message, R"(`$json.txt`, column 16: the item of "in" has no field "txt")");
    EXPECT_EQ(found[0].hint, R"(did you mean "text"?)");
}

TEST(validate_fields, knows_the_items_of_all_triggers) {
    EXPECT_THAT(behind("telegram.message", "{{ $json.text + string($json.chat) }}"), IsEmpty());
    EXPECT_THAT(codes(behind("chat", "{{ $json.chat }}")), wrong);
    EXPECT_THAT(codes(behind("schedule", "{{ $json.time }}")), wrong);
    EXPECT_THAT(behind("schedule", "{{ $json.at }}"), IsEmpty());
    EXPECT_THAT(codes(behind("webhook", "{{ $json.payload.id }}")), wrong);
    EXPECT_THAT(behind("webhook", "{{ $json.body.anything.at_all + $json.query.q }}"), IsEmpty());
    EXPECT_THAT(behind("manual", "{{ $json.anything }}"), IsEmpty()) << "whoever starts it says";
}

TEST(validate_fields, looks_at_what_is_taken_for_granted_only) {
    for (auto guarded :
         {"{{ has($json.name) ? $json.name : 'x' }}",
          "{{ $json.?name.orValue('x') }}",
          "{{ $json[$json.text] }}"})
        EXPECT_THAT(behind("telegram.message", guarded), IsEmpty()) << guarded;
    EXPECT_THAT(codes(behind("telegram.message", "{{ $node['in'].json.txt }}")), wrong);
    EXPECT_THAT(behind("telegram.message", "{{ $node['in'].items.size() }}"), IsEmpty());
}

std::vector<problem> through(std::string const& node, std::string_view output) {
    return validated(
        node_text("in", "telegram.message") + "," + node + "," + set("out", "{{ $json.txt }}"),
        link_text("in", "mid") + "," +
            link_text("mid", "out", fmt::format(R"("output":"{}")", output))
    );
}

TEST(validate_fields, follows_items_through_nodes_that_pass_them_on) {
    auto const behind_it = ElementsAre("unknown_field /nodes/2/parameters/fields/x (warning)");
    auto const condition = R"("condition":"{{ $json.text == 'x' }}")";
    EXPECT_THAT(codes(through(node_text("mid", "if", condition), "false")), behind_it);
    EXPECT_THAT(codes(through(node_text("mid", "wait", R"("duration":"1s")"), "main")), behind_it);
    EXPECT_THAT(
        codes(
            through(node_text("mid", "set", R"("fields":{"txt":1})", R"("disabled":true)"), "main")
        ),
        behind_it
    );
}

TEST(validate_fields, says_nothing_where_fields_are_not_known) {
    EXPECT_THAT(through(set("mid", "1"), "main"), IsEmpty());
    EXPECT_THAT(through(set("mid", "1", R"(,"keep_others":true)"), "main"), IsEmpty());
    EXPECT_THAT(
        codes(through(node_text("mid", "wait", R"("event":"e","timeout":"1s")"), "main")),
        ElementsAre("chat_waits /nodes/1/parameters/event (warning)")
    ) << "nothing about fields";
    auto const carrying = R"("on_error":"continue")";
    EXPECT_THAT(
        through(node_text("mid", "wait", R"("duration":"1s")", carrying), "main"), IsEmpty()
    ) << "an error's item has other fields";
}

TEST(validate_fields, takes_what_any_of_several_triggers_has) {
    auto const both = [](std::string_view expression, std::string_view second = "chat") {
        return validated(
            node_text("a", "telegram.message") + "," + node_text("b", second) + "," +
                set("out", expression),
            link_text("a", "out") + "," + link_text("b", "out")
        );
    };
    EXPECT_THAT(both("{{ $json.conversation }}"), IsEmpty());
    EXPECT_THAT(both("{{ $json.txt }}", "manual"), IsEmpty());
    auto const found = both("{{ $json.txt }}");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(
        found[0].message,
        R"(`$json.txt`, column 10: the items of no trigger here have a field "txt")"
    );
}

TEST(validate_fields, looks_at_the_lane) {
    auto const with = [](std::string_view lane) {
        auto const settings = fmt::format(R"("lane":"{}")", lane);
        return codes(validated(node_text("in", "telegram.message"), "", settings));
    };
    EXPECT_THAT(with("{{ $json.user }}"), IsEmpty());
    EXPECT_THAT(with("{{ $json.usr }}"), ElementsAre("unknown_field /settings/lane (warning)"));
}

// Counts how often it is looked at.
node_type passing_on(int& looks) {
    return read_node_type(
        R"({
            "name": "test.pass",
            "title": "Pass",
            "description": "Passes its items on.",
            "inputs": [{"name": "main", "title": "items"}],
            "outputs": [{"name": "main", "title": "items"}]
        })",
        durable{
            .execute = {},
            .keeps_items =
                [&looks](auto const&) {
                    ++looks;
                    return true;
                }}
    );
}

// A document of half a megabyte took half a minute.
TEST(validate_fields, follows_the_items_of_a_node_once_however_often_it_is_named) {
    constexpr int length = 20;
    constexpr int mentions = 30;
    int looks = 0;
    auto types = builtin_types();
    types.add(passing_on(looks));
    auto nodes = node_text("p0", "telegram.message");
    std::string links;
    for (int i = 1; i <= length; ++i) {
        nodes += "," + node_text(fmt::format("p{}", i), "test.pass");
        links += link_text(fmt::format("p{}", i - 1), fmt::format("p{}", i)) + ",";
    }
    std::string text;
    for (int i = 0; i < mentions; ++i)
        text += fmt::format("{{{{ $node['p{}'].json.txt }}}}", length);
    nodes += "," + set("out", text);
    links += link_text(fmt::format("p{}", length), "out");

    auto const found = validate(tests::read_flow(flow_text(nodes, links)), types);

    EXPECT_EQ(looks, length) << "once, not once for each mention";
    EXPECT_THAT(codes(found), ElementsAre("unknown_field /nodes/21/parameters/fields/x (warning)"));
}

// The items that the program makes have the fields that their triggers say.
std::vector<std::string> fields_of(std::string_view type) {
    std::vector<std::string> names;
    auto const types = builtin_types();
    for (auto const& property : started_item(*types.find(type))->at("properties").as_object())
        names.emplace_back(property.key());
    return names;
}

std::vector<std::string> keys_of(boost::json::object const& item) {
    std::vector<std::string> names;
    for (auto const& member : item) names.emplace_back(member.key());
    return names;
}

TEST(validate_fields, triggers_say_what_items_have) {
    heard_message photo;
    photo.images.push_back({.file = "AgAC"});
    photo.file = message_file{"AgAC", "", ""};
    photo.more_files.push_back(*photo.file);
    EXPECT_THAT(
        fields_of("telegram.message"),
        testing::UnorderedElementsAreArray(keys_of(item_of(photo, "x")))
    );
    EXPECT_THAT(
        fields_of("chat"),
        testing::UnorderedElementsAreArray(keys_of(item_of(
            heard_message{conversation_address("00000000-0000-0000-0000-000000000001")}, "x"
        )))
    );
}

} // namespace
} // namespace postrider::agent::flow::validate_fields_test
