// Nodes that read and write CSV and HTML, with what a stranger may send.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::page_nodes_test {

namespace {

namespace json = boost::json;
using testing::HasSubstr;

queue::outcome run_node(std::string_view type, json::object parameters, json::array items) {
    flow_world world(flow_builder("pages")
                         .trigger("In", "manual")
                         .node("Page", type, std::move(parameters))
                         .text());
    agent::flow::execution_input input;
    input.flow = "pages";
    input.version = 1;
    input.pinned["In"] = std::move(items);
    return world.run(std::move(input));
}

queue::outcome run_node(std::string_view type, json::object parameters, json::object item) {
    return run_node(type, std::move(parameters), json::array{std::move(item)});
}

TEST(page_nodes, do_not_copy_a_long_header_to_every_row) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += std::string(5000, 'n') + std::to_string(i) + ',';
    text += "last\n";
    for (int i = 0; i < 1000; ++i) text += std::string(100, ',') + '\n';

    auto const outcome = run_node(
        "csv.read", {{"text", "{{ $json.text }}"}, {"result", "rows"}}, json::object{{"text", text}}
    );

    EXPECT_EQ(outcome.error, base::errc::too_large);
    EXPECT_THAT(outcome.error.detail, HasSubstr("names of the header"));
}

TEST(page_nodes, write_no_field_as_often_as_one_likes) {
    json::array columns(100, json::value("long"));

    auto const outcome = run_node(
        "csv.write",
        {{"columns", std::move(columns)}},
        json::object{{"long", std::string(200'000, 'x')}}
    );

    EXPECT_EQ(outcome.error, base::errc::too_large);
}

TEST(page_nodes, write_no_more_columns_than_a_row_has) {
    json::object item;
    for (int i = 0; i <= 1000; ++i) item.emplace("c" + std::to_string(i), i);

    auto const outcome = run_node("csv.write", {}, std::move(item));

    EXPECT_EQ(outcome.error, base::errc::too_large);
    EXPECT_THAT(outcome.error.detail, HasSubstr("1000 columns"));
}

TEST(page_nodes, take_no_text_as_often_as_elements_hold_it) {
    std::string page;
    for (int i = 0; i < 200; ++i) page += "<div>";
    page += std::string(100'000, 'x');
    json::object const value{{"name", "all"}, {"selector", "div"}, {"all", true}};

    for (auto const* take : {"text", "html"}) {
        auto every = value;
        every["take"] = take;
        auto const outcome = run_node(
            "html.extract",
            {{"html", "{{ $json.page }}"}, {"values", json::array{every}}},
            json::object{{"page", page}}
        );
        EXPECT_EQ(outcome.error, base::errc::too_large) << take;
        EXPECT_THAT(outcome.error.detail, HasSubstr("take smaller elements"));
    }
}

TEST(page_nodes, have_one_budget_for_all_values_of_a_page) {
    std::string page;
    for (int i = 0; i < 250; ++i) page += "<i>";
    for (int i = 0; i < 10'000; ++i) page += "<b></b>";
    json::array values;
    for (int i = 0; i < 20; ++i)
        values.push_back(json::object{
            {"name", "n" + std::to_string(i)}, {"selector", "u b"}, {"all", true}});

    auto const outcome = run_node(
        "html.extract",
        {{"html", "{{ $json.page }}"}, {"values", std::move(values)}},
        json::object{{"page", page}}
    );

    EXPECT_EQ(outcome.error, base::errc::too_large);
}

} // namespace
} // namespace postrider::tests::page_nodes_test
