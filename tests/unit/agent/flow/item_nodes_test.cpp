// The nodes that work on the items themselves, each within a flow.
#include "base/json/json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <tuple>

namespace postrider::tests::item_nodes_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

// What comes out of the node for the items that came in, and its error where it fails.
std::string ended(std::string_view type, json::object parameters, std::string_view input) {
    flow_world world(
        flow_builder("one").trigger("In", "manual").node("Node", type, std::move(parameters)).text()
    );
    flow::execution_input started;
    started.flow = "one";
    started.version = 1;
    started.pinned = {{"In", base::parse_json(input).value()}};
    auto const outcome = world.run(started);
    EXPECT_THAT(world.log, ElementsAre("commit")) << "it records no step";
    if (outcome.state == queue::job_state::failed) return to_string(outcome.error);
    return world.ended(outcome);
}

std::string numbers(std::size_t count) {
    std::string text;
    for (std::size_t at = 0; at < count; ++at) text += fmt::format("{}{}", at > 0 ? "," : "", at);
    return "[" + text + "]";
}

TEST(items_split, makes_an_item_of_each_element) {
    json::object const list{{"list", "{{ $json.rows }}"}};
    EXPECT_EQ(
        ended("items.split", list, R"([{"rows":[{"a":1},2]},{"rows":[]},{"rows":["x"]}])"),
        R"([{"a":1},{"value":2},{"value":"x"}])"
    );
    EXPECT_EQ(ended("items.split", list, R"([{"rows":[]}])"), "[]");
}

TEST(items_split, puts_elements_into_a_field) {
    json::object parameters{{"list", "{{ $json.rows }}"}, {"field", "row"}, {"wrap", true}};
    EXPECT_EQ(
        ended("items.split", parameters, R"([{"rows":[{"a":1},2],"k":0}])"),
        R"([{"row":{"a":1}},{"row":2}])"
    );
    parameters["wrap"] = false;
    parameters["keep_others"] = true;
    parameters["field"] = "rows";
    EXPECT_EQ(
        ended("items.split", parameters, R"([{"rows":[{"a":1},2],"k":0}])"),
        R"([{"rows":{"a":1},"k":0},{"rows":2,"k":0}])"
    );
}

TEST(items_split, gives_a_thousand_items_and_no_more) {
    json::object const list{{"list", "{{ $json.rows }}"}};
    auto const of = [&](std::size_t count) {
        return ended("items.split", list, fmt::format(R"([{{"rows":{}}}])", numbers(count)));
    };
    EXPECT_THAT(of(1000), HasSubstr(R"({"value":999})"));
    EXPECT_THAT(of(1001), HasSubstr("too_large"));
}

TEST(items_filter, keeps_the_items_that_meet_the_condition) {
    EXPECT_EQ(
        ended("items.filter", {{"condition", "{{ $json.n > 1 }}"}}, R"([{"n":1},{"n":2},{"n":3}])"),
        R"([{"n":2},{"n":3}])"
    );
}

TEST(items_aggregate, makes_one_item_of_all) {
    auto const input = R"([{"n":1,"t":"a"},{"n":2},7])";
    EXPECT_EQ(ended("items.aggregate", {}, input), R"([{"items":[{"n":1,"t":"a"},{"n":2},7]}])");
    EXPECT_EQ(
        ended("items.aggregate", {{"into", "all"}}, R"([{"n":1}])"), R"([{"all":[{"n":1}]}])"
    );
    EXPECT_EQ(
        ended(
            "items.aggregate",
            {{"fields", {{"n", "{{ $json.?n }}"}, {"t", "{{ $json.?t }}"}}}},
            R"([{"n":1,"t":"a"},{"n":2}])"
        ),
        R"([{"n":[1,2],"t":["a"]}])"
    );
    EXPECT_EQ(
        ended(
            "items.aggregate",
            {{"fields", {{"t", "{{ $json.?t }}"}}}, {"keep_missing", true}},
            R"([{"t":"a"},{"n":2}])"
        ),
        R"([{"t":["a",null]}])"
    );
    EXPECT_EQ(
        ended(
            "items.aggregate",
            {{"totals",
              {{"sum", "{{ sum($input.map(i, i.n)) }}"},
               {"words", "{{ $input.size() }} of {{ $json.n }}"}}},
             {"into", "all"}},
            R"([{"n":1},{"n":2}])"
        ),
        R"([{"sum":3,"words":"2 of 1"}])"
    );
}

json::object sort_key(std::string_view value, bool descending) {
    return {{"value", value}, {"descending", descending}};
}

TEST(items_sort, orders_by_values_in_turn) {
    auto const input = R"([{"a":2,"b":"x"},{"a":10,"b":"y"},{"b":"z"},{"a":2,"b":"w"}])";
    json::object parameters{{"by", json::array{sort_key("{{ $json.?a }}", false)}}};
    EXPECT_EQ(
        ended("items.sort", parameters, input),
        R"([{"a":2,"b":"x"},{"a":2,"b":"w"},{"a":10,"b":"y"},{"b":"z"}])"
    );
    parameters["by"].as_array()[0] = sort_key("{{ $json.?a }}", true);
    EXPECT_EQ(
        ended("items.sort", parameters, input),
        R"([{"a":10,"b":"y"},{"a":2,"b":"x"},{"a":2,"b":"w"},{"b":"z"}])"
    ) << "equal ones as they came, those without a value last";
    parameters["by"].as_array().push_back(sort_key("{{ $json.b }}", false));
    EXPECT_EQ(
        ended("items.sort", parameters, input),
        R"([{"a":10,"b":"y"},{"a":2,"b":"w"},{"a":2,"b":"x"},{"b":"z"}])"
    );
}

TEST(items_limit, keeps_an_end_of_the_list) {
    auto const input = R"([{"n":1},{"n":2},{"n":3}])";
    EXPECT_EQ(ended("items.limit", {}, input), R"([{"n":1}])");
    EXPECT_EQ(ended("items.limit", {{"count", 2}}, input), R"([{"n":1},{"n":2}])");
    EXPECT_EQ(
        ended("items.limit", {{"count", 2}, {"keep", "last"}}, input), R"([{"n":2},{"n":3}])"
    );
    EXPECT_EQ(
        ended("items.limit", {{"count", 9}, {"keep", "last"}}, input),
        R"([{"n":1},{"n":2},{"n":3}])"
    );
}

TEST(items_unique, takes_duplicates_out) {
    auto const input = R"([{"a":1,"b":2},{"b":2,"a":1},{"a":1},{"a":2,"b":2}])";
    EXPECT_EQ(
        ended("items.unique", {}, input), R"([{"a":1,"b":2},{"a":1},{"a":2,"b":2},{"b":2,"a":1}])"
    ) << "new ones, then duplicates: the order of members does not count";
    EXPECT_EQ(
        ended("items.unique", {{"by", "{{ $json.?b }}"}}, input),
        R"([{"a":1,"b":2},{"a":1},{"b":2,"a":1},{"a":2,"b":2}])"
    );
    auto const kinds = R"([{"a":1},{"a":"1"},{"a":null},{"n":1},{"a":null,"n":1},{"n":1}])";
    EXPECT_EQ(
        ended("items.unique", {{"by", "{{ $json.?a }}"}}, kinds),
        R"([{"a":1},{"a":"1"},{"a":null},{"n":1},{"a":null,"n":1},{"n":1}])"
    ) << "a number is no text, and without a value the whole item counts";
}

// The table of seen items, over several executions.
class seen_items {
public:
    // Of one execution of a flow that passes on what is new; the job as its number says. A silent one is
    // a fork of the job `original`.
    std::string run(int job, std::string_view input, std::optional<int> original = {}) {
        flow_world world(
            flow_builder("feed")
                .trigger("In", "manual")
                .node("New", "items.unique", {{"by", "{{ $json.id }}"}, {"among", "earlier"}})
                .node("Kept", "items.aggregate", {{"fields", {{"id", "{{ $json.id }}"}}}})
                .text()
        );
        world.job.id = job_id{job};
        world.table.claimed = [&](json::object const& asked) {
            for (auto const& write : world.record.writes) keep(write);
            return claims_of(asked);
        };
        world.table.unseen = [&](json::object const& asked) { return unseen_of(asked); };
        world.adjust = [this](flow::node_services& services) {
            services.links.key = base::secret(key);
        };
        flow::execution_input started;
        started.flow = "feed";
        started.version = 1;
        started.pinned = {{"In", base::parse_json(input).value()}};
        started.silent = original.has_value();
        if (original) started.history = storage::turn_place{lane_id{1}, job_id{*original}};
        auto const outcome = world.run(started);
        for (auto const& write : world.record.writes) {
            bool const claims = write.statement->name == "claim_items";
            EXPECT_FALSE(original && claims);
        }
        auto const again = world.run(started);
        EXPECT_EQ(again.output, outcome.output) << "what is recorded stays";
        return world.ended(outcome);
    }

    std::string key = "key of the database";

private:
    using place = std::tuple<std::string, std::string, std::string>;

    void keep(storage::write const& write) {
        if (write.statement->name != "claim_items") return;
        auto const row = base::parse_json(write.row).value();
        for (auto const& digest : row.at("digests").as_array())
            seen_.emplace(place_of(row.as_object(), digest), row.at("job_id").as_int64());
    }
    storage::rows claims_of(json::object const& asked) const {
        storage::rows answer;
        for (auto const& digest : asked.at("digests").as_array())
            if (seen_.at(place_of(asked, digest)) == asked.at("job_id").as_int64())
                answer.push_back(storage::row{{"0", std::string(digest.as_string())}});
        return answer;
    }
    storage::rows unseen_of(json::object const& asked) const {
        storage::rows answer;
        for (auto const& digest : asked.at("digests").as_array()) {
            auto const claim = seen_.find(place_of(asked, digest));
            if (claim == seen_.end() || claim->second == asked.at("job_id").as_int64())
                answer.push_back(storage::row{{"0", std::string(digest.as_string())}});
        }
        return answer;
    }
    static place place_of(json::object const& row, json::value const& digest) {
        auto const text = [](json::value const& value) { return std::string(value.as_string()); };
        return {text(row.at("flow")), text(row.at("node")), text(digest)};
    }

    std::map<place, std::int64_t> seen_;
};

TEST(items_unique, remembers_what_earlier_executions_saw) {
    seen_items node;
    EXPECT_EQ(node.run(1, R"([{"id":1},{"id":2},{"id":1}])"), R"([{"id":[1,2]}])");
    EXPECT_EQ(node.run(2, R"([{"id":2},{"id":3}])"), R"([{"id":[3]}])");
    EXPECT_EQ(node.run(3, R"([{"id":2},{"id":3}])"), "[]") << "nothing is new";
    node.key = "key of another database";
    EXPECT_EQ(node.run(4, R"([{"id":2}])"), R"([{"id":[2]}])") << "the digest is another one";
}

TEST(items_unique, of_a_silent_fork_claims_nothing) {
    seen_items node;
    node.run(1, R"([{"id":1}])");
    EXPECT_EQ(node.run(2, R"([{"id":1},{"id":2}])", 1), R"([{"id":[1,2]}])")
        << "what its original has seen first is new";
    EXPECT_EQ(node.run(3, R"([{"id":1}])", 2), "[]");
    EXPECT_EQ(node.run(4, R"([{"id":2}])"), R"([{"id":[2]}])");
}

} // namespace
} // namespace postrider::tests::item_nodes_test
