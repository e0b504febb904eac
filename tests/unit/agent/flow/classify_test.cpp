// Agents of a kind: texts are classified, and facts taken from them.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::classify_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::string sorting(bool several = false) {
    json::array const categories{
        {{"name", "order"}, {"description", "about an order"}}, {{"name", "praise"}}};
    return flow_builder("sorting")
        .trigger("In", "manual")
        .node("Sort", "classify", {{"categories", categories}, {"several", several}})
        .part("Model", "model")
        .after("Sort", "order")
        .node("Order", "set", {{"fields", {{"to", "order"}}}})
        .after("Sort", "praise")
        .node("Praise", "set", {{"fields", {{"to", "praise"}}}})
        .after("Sort", "otherwise")
        .node("Rest", "set", {{"fields", {{"to", "rest"}}}})
        .text();
}

std::string sorted(flow_world& world) {
    auto const outcome = world.run(json::object{{"text", "Where is it?"}});
    if (outcome.state != queue::job_state::completed) return to_string(outcome.error);
    return flow_world::ended(outcome);
}

TEST(classify, passes_an_item_to_its_category) {
    flow_world world(sorting());
    world.model.script = {says(R"({"categories":["order"]})")};

    EXPECT_EQ(sorted(world), R"([{"text":"Where is it?","categories":["order"],"to":"order"}])");
    ASSERT_THAT(world.model.requests, SizeIs(1));
    auto const& request = world.model.requests.front();
    EXPECT_EQ(request.messages.back().content, "Where is it?");
    EXPECT_THAT(
        request.system, AllOf(HasSubstr("- order: about an order"), HasSubstr("- praise\n"))
    );
}

TEST(classify, passes_what_fits_nothing_to_otherwise) {
    flow_world world(sorting());
    world.model.script = {says(R"({"categories":[]})")};

    EXPECT_EQ(sorted(world), R"([{"text":"Where is it?","categories":[],"to":"rest"}])");
}

TEST(classify, may_find_several_categories) {
    flow_world world(sorting(true));
    world.model.script = {says(R"({"categories":["order","praise"]})")};

    EXPECT_THAT(sorted(world), AllOf(HasSubstr(R"("to":"order")"), HasSubstr(R"("to":"praise")")));
}

TEST(classify, fails_where_the_model_names_no_category) {
    flow_world world(sorting());
    world.model.script = {
        says("an order, I think"),
        says(R"({"categories":["complaint"]})"),
        says(R"({"categories":["order","praise"]})")};

    EXPECT_THAT(sorted(world), HasSubstr("invalid"));
    EXPECT_THAT(world.model.requests, SizeIs(3)) << "it was told twice what does not fit";
}

std::string reading() {
    json::object const schema{
        {"type", "object"},
        {"properties", {{"article", {{"type", "string"}}}, {"count", {{"type", "integer"}}}}},
        {"required", json::array{"article"}}};
    return flow_builder("reading")
        .trigger("In", "manual")
        .node("Read", "extract", {{"schema", schema}, {"field", "order"}})
        .part("Model", "model")
        .text();
}

TEST(extract, adds_the_facts_to_the_item) {
    flow_world world(reading());
    world.model.script = {says("Sure: ```json\n{\"article\":\"tea\",\"count\":2}\n```")};

    EXPECT_EQ(sorted(world), R"([{"text":"Where is it?","order":{"article":"tea","count":2}}])");
}

TEST(extract, fails_where_the_answer_does_not_fit) {
    flow_world world(reading());
    world.model.script = {says("none"), says(R"({"count":"two"})"), says("I cannot say")};

    EXPECT_THAT(sorted(world), HasSubstr("does not fit the schema"));
}

TEST(extract, says_nothing_in_the_conversation) {
    flow_world world(reading());
    world.model.script = {says(R"({"article":"tea"})")};

    sorted(world);

    EXPECT_TRUE(world.table.rows.empty());
}

} // namespace
} // namespace postrider::tests::classify_test
