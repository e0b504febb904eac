// What the nodes without services do with their items.
#include "agent/flow/catalog.hpp"
#include "agent/flow/parameters.hpp"
#include "base/json/json.hpp"
#include "tests/support/fake_workflow.hpp"
#include "tests/support/loop.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::logic_nodes_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

catalog const& types() {
    static catalog const all = builtin_types();
    return all;
}

json::value parsed(std::string_view text) {
    return base::parse_json(text).value();
}

base::result<json::object> fitted(std::string_view type, std::string_view parameters) {
    return fit_parameters(parsed(parameters).get_object(), *types().find(type), types());
}

std::string text(base::result<outputs> const& result) {
    if (!result) return to_string(result.error());
    std::string all;
    for (auto const& [port, items] : *result)
        for (auto const& entry : items) all += port + " " + json::serialize(entry.json) + "\n";
    return all;
}

// Evaluated parameters in, one item in, items out.
std::string run_pure(
    std::string_view type, std::string_view parameters, std::string_view input = R"({"n":1})"
) {
    flow::node const node;
    flow::item const item{parsed(input)};
    auto const fit = fitted(type, parameters).value();
    auto const& does = std::get<pure>(types().find(type)->behaviour);
    return text(does.execute({node, fit, item}));
}

// A node keeps what it made until the execution ends.
TEST(item, shares_its_value_with_the_one_that_came_in_where_it_passes_through) {
    flow::node const node;
    flow::item const item{parsed(R"({"n":1})")};
    auto const condition = fitted("if", R"({"condition":true})").value();
    auto const& check = std::get<pure>(types().find("if")->behaviour);
    auto const checked = check.execute({node, condition, item});
    EXPECT_EQ(&*checked.value().at("true").at(0).json, &*item.json);
    auto const rules = fitted("switch", R"({"rules":[{"name":"a","condition":false}]})").value();
    auto const& choose = std::get<pure>(types().find("switch")->behaviour);
    auto const chosen = choose.execute({node, rules, item});
    EXPECT_EQ(&*chosen.value().at("otherwise").at(0).json, &*item.json);
}

TEST(item, leaves_those_that_share_its_value_as_they_are_when_it_gets_another) {
    flow::item item{parsed(R"({"n":1})")};
    auto const copy = item;
    item.json = json::object{{"n", 2}};
    EXPECT_EQ(json::serialize(copy.json), R"({"n":1})");
    EXPECT_EQ(json::serialize(item.json), R"({"n":2})");
    EXPECT_EQ(json::serialize(flow::item{}.json), "null");
}

TEST(if_node, goes_one_of_two_ways) {
    EXPECT_EQ(run_pure("if", R"({"condition":true})"), "true {\"n\":1}\n");
    EXPECT_EQ(run_pure("if", R"({"condition":false})"), "false {\"n\":1}\n");
}

TEST(switch_node, takes_the_first_rule_that_holds) {
    constexpr std::string_view rules =
        R"({{"rules":[{{"name":"a","condition":{}}},{{"name":"b","condition":{}}}]}})";
    EXPECT_EQ(run_pure("switch", fmt::format(rules, true, true)), "a {\"n\":1}\n");
    EXPECT_EQ(run_pure("switch", fmt::format(rules, false, true)), "b {\"n\":1}\n");
    EXPECT_EQ(run_pure("switch", fmt::format(rules, false, false)), "otherwise {\"n\":1}\n");
}

TEST(set_node, makes_the_item_anew) {
    EXPECT_EQ(
        run_pure("set", R"({"fields":{"n":2,"m":[3]}})", R"({"n":1,"k":0})"),
        "main {\"n\":2,\"k\":0,\"m\":[3]}\n"
    );
    EXPECT_EQ(
        run_pure("set", R"({"fields":{"m":3},"keep_others":false})", R"({"n":1})"),
        "main {\"m\":3}\n"
    );
    EXPECT_EQ(run_pure("set", R"({"fields":{"m":3}})", "[1]"), "main {\"m\":3}\n");
}

TEST(stop_node, fails_with_its_message) {
    EXPECT_EQ(run_pure("stop", R"({"message":"no stock"})"), "refused: no stock");
}

class fake_run final : public node_run {
public:
    fake_run(json::object parameters, queue::workflow steps)
        : parameters_(std::move(parameters)),
          steps_(std::move(steps)) {
        input_.push_back({json::object{{"n", 1}}});
        input_.push_back({json::object{{"n", 2}}});
    }
    flow::node const& node() const override { return node_; }
    flow::items const& input() const override { return input_; }
    base::awaitable<base::result<json::object>> parameters(std::size_t) override {
        co_return parameters_;
    }
    queue::workflow& steps() override { return steps_; }
    base::retry_policy retry(base::retry_policy otherwise) const override { return otherwise; }

    // What a node of logic has no use for.
    execution_input const& started_by() const override { throw std::logic_error("none"); }
    node_services const& services() const override { throw std::logic_error("none"); }
    flow::conversation& conversation() override { throw std::logic_error("none"); }
    std::unique_ptr<node_parts> parts(std::size_t) override { throw std::logic_error("none"); }
    std::int64_t position(int) const override { return 0; }
    base::awaitable<void> commit(queue::commit_with) override { throw std::logic_error("none"); }
    json::value const* spare(std::string const&) const override { return nullptr; }
    void keep_spare(std::string, json::value) override {}
    void give_answer(storage::message_row) override {}
    std::optional<storage::message_row> take_answer(std::string_view) override { return {}; }
    base::awaitable<base::result<flow::items>> call(std::string, json::value, flow_call_name)
        override {
        throw std::logic_error("none");
    }
    void note(std::string_view, json::value) override {}
    void degrade(queue::degradation) override {}
    void add_last_row(storage::write) override {}
    bool is_watched() const override { return false; }
    void tell(std::string_view, json::object) override {}

private:
    flow::node node_;
    flow::items input_;
    json::object parameters_;
    queue::workflow steps_;
};

class wait_node : public testing::Test {
protected:
    std::string run(std::string_view parameters) {
        fake_run node(fitted("wait", parameters).value(), steps_);
        auto const& does = std::get<durable>(types().find("wait")->behaviour);
        return text(loop_.run(does.execute(node)));
    }

    tests::loop loop_;
    tests::fake_record record_;
    tests::fake_workflow steps_{queue::job{}, record_};
};

TEST_F(wait_node, sleeps_and_passes_its_items_on) {
    EXPECT_EQ(run(R"({"duration":"10min"})"), "main {\"n\":1}\nmain {\"n\":2}\n");
    EXPECT_EQ(run(R"({"until":"2026-11-21T08:53:00Z"})"), "main {\"n\":1}\nmain {\"n\":2}\n");
    EXPECT_THAT(steps_.log, ElementsAre("sleep wait", "sleep wait#2"));
}

TEST_F(wait_node, adds_what_the_event_brought) {
    steps_.events["paid"] = json::object{{"sum", 9}};
    EXPECT_EQ(
        run(R"({"event":"paid","match":"o1"})"),
        "main {\"n\":1,\"event\":{\"sum\":9}}\nmain {\"n\":2,\"event\":{\"sum\":9}}\n"
    );
    EXPECT_THAT(steps_.log, ElementsAre("wait event"));
}

TEST_F(wait_node, leaves_what_came_in_as_it_was) {
    steps_.events["paid"] = 1;
    fake_run node(fitted("wait", R"({"event":"paid"})").value(), steps_);
    auto const& does = std::get<durable>(types().find("wait")->behaviour);
    auto const passed = loop_.run(does.execute(node));
    EXPECT_EQ(text(passed), "main {\"n\":1,\"event\":1}\nmain {\"n\":2,\"event\":1}\n");
    EXPECT_EQ(json::serialize(node.input().at(0).json), R"({"n":1})") << "others share it";
}

TEST_F(wait_node, fails_when_the_event_does_not_come) {
    EXPECT_THAT(run(R"({"event":"paid","timeout":"1s"})"), HasSubstr("timeout"));
}

} // namespace
} // namespace postrider::agent::flow::logic_nodes_test
