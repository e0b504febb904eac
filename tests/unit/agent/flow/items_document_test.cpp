// The chapter of docs/flows.md about items: its examples run, and its bad inputs fail as it says.
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace postrider::tests::items_document_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::SizeIs;

std::string chapter() {
    std::ifstream file("docs/flows.md");
    std::stringstream page;
    page << file.rdbuf();
    auto const text = page.str();
    auto const begin = text.find("\n## Items\n");
    return text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

std::vector<std::string> blocks_of(std::string const& text) {
    constexpr std::string_view opening = "```json\n";
    std::vector<std::string> blocks;
    for (auto at = text.find(opening); at != text.npos; at = text.find(opening, at)) {
        at += opening.size();
        auto const end = text.find("```", at);
        blocks.push_back(text.substr(at, end - at));
        at = end + 3;
    }
    return blocks;
}

// The cells of the rows under a header that begins so, without the backquotes of code.
std::vector<std::vector<std::string>> table_under(std::string const& text, std::string_view head) {
    std::vector<std::vector<std::string>> found;
    std::istringstream lines(text.substr(text.find(head)));
    std::string line;
    std::getline(lines, line);
    std::getline(lines, line);
    while (std::getline(lines, line) && line.starts_with("| ")) {
        std::vector<std::string> cells;
        for (std::size_t at = 2; at < line.size();) {
            auto const end = line.find(" |", at);
            auto cell = line.substr(at, end - at);
            std::erase(cell, '`');
            cells.push_back(std::move(cell));
            at = end + 3;
        }
        found.push_back(std::move(cells));
    }
    return found;
}

json::value example_of(flow_world const& world) {
    return world.graph->flow().nodes.at(0).parameters.at("example");
}

TEST(items_document, has_examples_that_run_as_it_says) {
    auto const blocks = blocks_of(chapter());
    ASSERT_EQ(blocks.size() % 2, 0u) << "a flow, and what it ends with";
    ASSERT_FALSE(blocks.empty());
    for (std::size_t at = 0; at < blocks.size(); at += 2) {
        SCOPED_TRACE(blocks[at]);
        EXPECT_THAT(codes(flow::validate(read_flow(blocks[at]), flow::builtin_types())), SizeIs(0));
        flow_world world(blocks[at]);
        auto const outcome = world.run(example_of(world));
        EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
        auto const expected = base::parse_json(blocks[at + 1]).value();
        EXPECT_EQ(outcome.output.at("items"), expected) << world.ended(outcome);
    }
}

// The node with what it needs: items at its inputs, and a loop's body.
std::string flow_around(std::string_view type, std::string_view parameters) {
    static auto const types = flow::builtin_types();
    auto nodes = node_text("In", "manual") + "," + node_text("Node", type, parameters);
    std::string links;
    auto const link = [&](std::string_view from, std::string_view to, std::string_view more) {
        links += (links.empty() ? "" : ",") + link_text(from, to, more);
    };
    for (auto const& input : types.find(type)->inputs) {
        auto const end = fmt::format(R"("input":"{}")", input.name);
        if (!input.is_loop && (links.empty() || input.least > 0)) link("In", "Node", end);
        if (!input.is_loop || input.least == 0) continue;
        nodes += "," + node_text("Body", "items.filter", R"("condition":true)");
        link("Node", "Body", R"("output":"each")");
        link("Body", "Node", end);
    }
    return flow_text(nodes, links);
}

TEST(items_document, has_a_table_of_bad_inputs_that_fail_as_it_says) {
    auto const rows =
        table_under(chapter(), "| node | parameters | items that come in | error | reason |");
    EXPECT_GE(rows.size(), 6u);
    for (auto const& row : rows) {
        ASSERT_THAT(row, SizeIs(5));
        SCOPED_TRACE(row[0] + " " + row[1]);
        auto const parameters = base::parse_json(row[1]).value().as_object();
        auto const text = base::json_text(parameters);
        flow_world world(flow_around(row[0], text.substr(1, text.size() - 2)));
        flow::execution_input input;
        input.flow = "test";
        input.version = 1;
        input.pinned = {{"In", base::parse_json(row[2]).value()}};
        auto const outcome = world.run(input);
        ASSERT_EQ(outcome.state, queue::job_state::failed);
        EXPECT_EQ(base::to_string(outcome.error.code), row[3]) << outcome.error.detail;
        EXPECT_TRUE(outcome.error.detail.starts_with("Node: ")) << outcome.error.detail;
    }
}

} // namespace
} // namespace postrider::tests::items_document_test
