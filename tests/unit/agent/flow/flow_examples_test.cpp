// docs/flows.md shows what nodes do with an item: every example, and every bad input, is run.
#include "tests/support/flow_builder.hpp"
#include "tests/support/paths.hpp"
#include "tests/unit/agent/flow/document_rows.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace postrider::tests::flow_examples_test {

namespace {

namespace json = boost::json;
using testing::HasSubstr;

struct example {
    std::string node;
    json::object parameters;
    json::array items; // that come in
    std::string result;
};

json::array as_items(json::value const& value) {
    return value.is_array() ? value.get_array() : json::array{value};
}

std::vector<example> examples() {
    std::vector<example> all;
    for (auto const& cells : document_rows("| node | parameters | items | result |"))
        all.push_back(
            {cells.at(0),
             json::parse(cells.at(1)).as_object(),
             as_items(json::parse(cells.at(2))),
             cells.at(3)}
        );
    return all;
}

std::string document_of(example const& shown) {
    return flow_builder("example")
        .trigger("In", "manual")
        .node("Node", shown.node, shown.parameters)
        .text();
}

TEST(flow_examples, do_what_the_document_shows) {
    auto const all = examples();
    EXPECT_GT(all.size(), 10u);
    for (auto const& shown : all) {
        SCOPED_TRACE(shown.node + " " + json::serialize(shown.parameters));
        flow_world world(document_of(shown));
        agent::flow::execution_input input;
        input.flow = "example";
        input.version = 1;
        input.pinned["In"] = shown.items;
        auto const outcome = world.run(std::move(input));
        if (shown.result.starts_with("error: ")) {
            EXPECT_EQ(outcome.state, queue::job_state::failed);
            EXPECT_THAT(to_string(outcome.error), HasSubstr(shown.result.substr(7)));
        } else {
            auto const ended = json::parse(flow_world::ended(outcome));
            EXPECT_EQ(as_items(ended), as_items(json::parse(shown.result)))
                << json::serialize(ended);
        }
    }
}

TEST(flow_examples, of_whole_flows_are_well) {
    std::ifstream file(source("docs/flows.md"));
    std::stringstream page;
    page << file.rdbuf();
    auto const text = page.str();
    int flows = 0;
    for (auto begin = text.find("```json\n"); begin != text.npos;) {
        auto const end = text.find("```", begin + 3);
        auto const block = text.substr(begin + 8, end - begin - 8);
        if (!block.starts_with('[')) { // items
            EXPECT_TRUE(compiled(block));
            ++flows;
        }
        begin = text.find("```json\n", end + 3);
    }
    EXPECT_GT(flows, 0);
}

} // namespace
} // namespace postrider::tests::flow_examples_test
