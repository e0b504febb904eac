// items.loop and items.repeat: the nodes of a loop run in rounds, and a later run continues in the
// middle.
#include "base/json/json.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace postrider::tests::loops_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

std::string joined(std::initializer_list<std::string> parts) {
    std::string all;
    for (auto const& part : parts) all += (all.empty() ? "" : ",") + part;
    return all;
}

std::string each(std::string_view from, std::string_view to) {
    return link_text(from, to, R"("output":"each")");
}

std::string back(std::string_view from, std::string_view to, std::string_view input = "next") {
    return link_text(from, to, fmt::format(R"("input":"{}")", input));
}

constexpr std::string_view send = R"("text":"{{ $json.n }}","bot":"fern","chat":9)";

// In → Split → Loop ⟲ Send → All
std::string sending(int batch_size) {
    return flow_text(
        joined(
            {node_text("In", "manual"),
             node_text("Split", "items.split", R"("list":"{{ $json.rows }}","field":"n")"),
             node_text("Loop", "items.loop", fmt::format(R"("batch_size":{})", batch_size)),
             node_text("Send", "telegram.send", send),
             node_text(
                 "Set",
                 "set",
                 R"("keep_others":false,"fields":{"n":"{{ $node[\"Loop\"].json.n }}","id":"{{ uuid() }}","size":"{{ $input.size() }}"})"
             ),
             node_text("All", "items.aggregate", R"("fields":{"n":"{{ $json.n }}"})")}
        ),
        joined(
            {link_text("In", "Split"),
             link_text("Split", "Loop"),
             each("Loop", "Send"),
             link_text("Send", "Set"),
             back("Set", "Loop"),
             link_text("Loop", "All", R"("output":"done")")}
        )
    );
}

json::object rows(int count) {
    json::array list;
    for (int n = 1; n <= count; ++n) list.push_back(n);
    return {{"rows", list}};
}

std::string sent(flow_world const& world) {
    std::string texts;
    for (auto const& message : world.chat.sent) texts += message.content.text + " ";
    return texts;
}

TEST(loop, brings_its_items_to_the_body_in_batches) {
    flow_world world(sending(2));
    auto const outcome = world.run(rows(5));
    EXPECT_EQ(sent(world), "1 2 3 4 5 ");
    EXPECT_EQ(world.ended(outcome), R"([{"n":[1,1,3,3,5]}])") << "$node is of the round";
    EXPECT_EQ(std::ranges::count(world.told, "> Send"), 3);
    EXPECT_EQ(std::ranges::count(world.told, "> Loop"), 1);
    EXPECT_TRUE(world.record.effects.contains("Send/round:3/send"))
        << world.record.effects.begin()->first;
}

// covers: S3.17 E.09
TEST(loop, continues_in_the_middle_wherever_it_dies) {
    for (int commit = 1;; ++commit) {
        flow_world world(sending(1));
        bool const died = world.run_and_die(commit, rows(3));
        auto const outcome = died ? world.run() : queue::outcome{};
        std::set<std::string> texts;
        for (auto const& message : world.chat.sent) texts.insert(message.content.text);
        EXPECT_THAT(texts, ElementsAre("1", "2", "3")) << commit;
        EXPECT_LE(world.chat.sent.size(), 4u) << "at most the message of the kill twice";
        EXPECT_EQ(world.record.effects.size(), 3u);
        if (!died) {
            EXPECT_GT(commit, 3);
            break;
        }
        EXPECT_EQ(world.ended(outcome), R"([{"n":[1,2,3]}])") << commit;
    }
}

TEST(loop, gives_the_ids_of_each_round_their_own_value) {
    auto document = sending(1);
    constexpr std::string_view number = R"({"n":"{{ $json.n }}"})";
    auto const place = document.find(number, document.find("items.aggregate"));
    document.replace(place, number.size(), R"({"n":"{{ $json.id }}"})");
    flow_world world(document);
    auto const outcome = world.run(rows(3));
    std::set<std::string> ids;
    for (auto const& id : outcome.output.at("items").at(0).at("n").as_array())
        ids.insert(std::string(id.as_string()));
    EXPECT_EQ(ids.size(), 3u);
}

// The inner loop has rounds in each round of the outer one. Branches of the body meet again.
TEST(loop, may_hold_another_one_and_branches) {
    flow_world world(flow_text(
        joined(
            {node_text("In", "manual"),
             node_text("Split", "items.split", R"("list":"{{ $json.rows }}","field":"rows")"),
             node_text("Outer", "items.loop"),
             node_text("Parts", "items.split", R"("list":"{{ $json.rows }}","field":"n")"),
             node_text("Inner", "items.loop"),
             node_text("Odd", "if", R"("condition":"{{ $json.n % 2 == 1 }}")"),
             node_text("Send", "telegram.send", send),
             node_text("Small", "set", R"("fields":{"n":"{{ $json.?n.orValue(0) + 10 }}"})"),
             node_text("Count", "items.aggregate")}
        ),
        joined(
            {link_text("In", "Split"),
             link_text("Split", "Outer"),
             each("Outer", "Parts"),
             link_text("Parts", "Inner"),
             each("Inner", "Odd"),
             link_text("Odd", "Send", R"("output":"true")"),
             link_text("Odd", "Small", R"("output":"false")"),
             link_text("Send", "Small"),
             back("Small", "Inner"),
             link_text("Inner", "Count", R"("output":"done")"),
             back("Count", "Outer")}
        )
    ));
    world.side_by_side = true;
    auto const outcome = world.run(base::parse_json(R"({"rows":[[1,2],[3]]})").value());
    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_EQ(sent(world), "1 3 ");
    EXPECT_EQ(std::ranges::count(world.told, "> Small"), 3);
    EXPECT_EQ(outcome.output.at("items").as_array().size(), 2u) << world.ended(outcome);
}

TEST(loop, ends_with_the_items_of_all_rounds_where_nothing_follows_a_node_of_it) {
    flow_world world(flow_text(
        joined(
            {node_text("In", "manual"),
             node_text("Split", "items.split", R"("list":"{{ $json.rows }}","field":"n")"),
             node_text("Loop", "items.loop"),
             node_text("End", "set", R"("fields":{"end":true})"),
             node_text("Pass", "items.filter", R"("condition":false)")}
        ),
        joined(
            {link_text("In", "Split"),
             link_text("Split", "Loop"),
             each("Loop", "End"),
             each("Loop", "Pass"),
             back("Pass", "Loop")}
        )
    ));
    auto const outcome = world.run(rows(2));
    EXPECT_EQ(world.ended(outcome), R"([{"n":1,"end":true},{"n":2,"end":true}])");
}

TEST(loop, ends_with_the_failure_of_a_node_of_it) {
    flow_world world(flow_text(
        joined(
            {node_text("In", "manual"),
             node_text("Split", "items.split", R"("list":"{{ $json.rows }}","field":"n")"),
             node_text("Loop", "items.loop", "", R"("on_error":"continue")"),
             node_text("Two", "if", R"("condition":"{{ $json.n == 2 }}")"),
             node_text("Stop", "stop", R"("message":"two")")}
        ),
        joined(
            {link_text("In", "Split"),
             link_text("Split", "Loop"),
             each("Loop", "Two"),
             link_text("Two", "Stop", R"("output":"true")"),
             link_text("Two", "Loop", R"("output":"false","input":"next")")}
        )
    ));
    auto const outcome = world.run(rows(3));
    EXPECT_EQ(to_string(outcome.error), "refused: Stop: two");
    EXPECT_EQ(std::ranges::count(world.told, "> Two"), 2);
}

// The same words in another round are another question: what was said in between is its history.
TEST(loop, asks_the_model_in_every_round) {
    flow_world world(flow_text(
        joined(
            {node_text("In", "manual"),
             node_text("Split", "items.split", R"("list":"{{ $json.rows }}","field":"n")"),
             node_text("Loop", "items.loop"),
             node_text("Guess", "agent", R"("prompt":"A number, please.")"),
             node_text("Model", "model")}
        ),
        joined(
            {link_text("In", "Split"),
             link_text("Split", "Loop"),
             each("Loop", "Guess"),
             back("Guess", "Loop"),
             link_text("Model", "Guess", R"("type":"ai_model")")}
        )
    ));
    world.model.script = {says("1"), says("2"), says("3")};
    auto const outcome = world.run(rows(3));
    EXPECT_EQ(world.model.requests.size(), 3u);
    std::string answers;
    for (auto const& item : outcome.output.at("items").as_array())
        answers += std::string(item.at("text").as_string());
    EXPECT_EQ(answers, "123");
}

// In → Repeat ⟲ Add → Enough? → finished
std::string counting(std::string_view repeat) {
    return flow_text(
        joined(
            {node_text("In", "manual"),
             node_text("Repeat", "items.repeat", repeat),
             node_text("Add", "set", R"("fields":{"n":"{{ $json.n + 1 }}"})"),
             node_text("Enough", "if", R"("condition":"{{ $json.n >= 4 }}")"),
             node_text("Done", "set", R"("fields":{"way":"done"})"),
             node_text("Limit", "set", R"("fields":{"way":"limit"})")}
        ),
        joined(
            {link_text("In", "Repeat"),
             each("Repeat", "Add"),
             link_text("Add", "Enough"),
             link_text("Enough", "Repeat", R"("output":"false","input":"again")"),
             link_text("Enough", "Repeat", R"("output":"true","input":"finished")"),
             link_text("Repeat", "Done", R"("output":"done")"),
             link_text("Repeat", "Limit", R"("output":"limit")")}
        )
    );
}

std::string counted(std::string_view repeat, int n) {
    flow_world world(counting(repeat));
    auto const outcome = world.run(json::object{{"n", n}});
    if (outcome.state == queue::job_state::failed) return to_string(outcome.error);
    return world.ended(outcome);
}

// covers: S3.17
TEST(repeat, goes_round_until_nothing_comes_back) {
    EXPECT_EQ(counted("", 1), R"([{"n":4,"way":"done"}])");
    EXPECT_EQ(counted("", 7), R"([{"n":8,"way":"done"}])");
}

TEST(repeat, ends_at_its_limit) {
    EXPECT_EQ(
        counted(R"("max_rounds":2)", 1), "too_large: Repeat: items still come back after round 2"
    );
    EXPECT_EQ(counted(R"("max_rounds":3)", 1), R"([{"n":4,"way":"done"}])");
    EXPECT_EQ(counted(R"("max_rounds":2,"at_limit":"pass")", 1), R"([{"n":3,"way":"limit"}])");
}

} // namespace
} // namespace postrider::tests::loops_test
