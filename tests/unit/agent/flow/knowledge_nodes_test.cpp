// A collection of documents as a tool of an agent and as a node.
#include "agent/knowledge/search.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/scripted_embedder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::knowledge_nodes_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct knowledge_world {
    explicit knowledge_world(std::string document) : w(std::move(document)) {
        w.adjust = [](flow::node_services& services) {
            services.is_owner = [](bot_id, user_id user) { return user == user_id{7}; };
        };
        w.table.others = [this](storage::write const& question) -> std::optional<storage::rows> {
            auto const name = question.statement->name;
            if (name == "find_collection") return collection;
            if (name != "search_parts") return std::nullopt;
            searched.push_back(json::parse(question.row).as_object());
            return parts;
        };
    }

    void open_to(std::optional<std::string> flows, std::string people) {
        collection = {storage::row{{"0", "4", std::move(flows), std::move(people)}}};
    }

    flow_world w;
    storage::rows collection{storage::row{{"0", "4", std::nullopt, "allowed"}}};
    storage::rows parts{storage::row{
        {"0",
         "Fees are ten euros.",
         "900000",
         "12",
         "fees.pdf",
         "3",
         "Prices > Fees",
         "fees.pdf",
         R"({"team": "sales"})"}}};
    std::vector<json::object> searched;
};

struct knowledge_tool : testing::Test, knowledge_world {
    knowledge_tool()
        : knowledge_world(flow_builder("support")
                              .trigger("In", "telegram.message")
                              .agent("Ask", {{"prompt", "{{ $json.text }}"}})
                              .part(
                                  "Docs",
                                  "tool.knowledge",
                                  {{"collection", "docs"},
                                   {"description", "The price list."},
                                   {"limit", 3},
                                   {"least_score", 20},
                                   {"filter", {{"team", "sales"}}}}
                              )
                              .text()) {}

    // What the model reads of its call.
    std::string call(user_id user) {
        w.model.script = {
            calls({{"knowledge", json::object{{"query", "What are the fees?"}}}}), says("Ten.")};
        flow::execution_input input;
        input.flow = "support";
        input.version = 1;
        input.heard = flow::heard_message{{bot_id{1}, chat_id{7}}, user, telegram_message_id{50}};
        EXPECT_EQ(w.run(std::move(input)).state, queue::job_state::completed);
        return w.model.requests.at(1).messages.back().content;
    }
};

// covers: S3.14
TEST_F(knowledge_tool, gives_parts_that_can_be_cited_as_untrusted_text) {
    auto const answer = call(user_id{8});

    EXPECT_THAT(
        answer,
        AllOf(
            HasSubstr("<untrusted_text"),
            HasSubstr("Fees are ten euros."),
            HasSubstr("[fees.pdf, page 3]"),
            HasSubstr("Prices > Fees")
        )
    );
    ASSERT_THAT(searched, SizeIs(1));
    EXPECT_EQ(searched.front().at("collection_id"), 4);
    EXPECT_EQ(searched.front().at("question"), "What are the fees?");
    EXPECT_EQ(searched.front().at("most"), 3);
    EXPECT_EQ(searched.front().at("least"), 200'000);
    EXPECT_EQ(searched.front().at("least_similarity"), 300'000) << "the default";
    EXPECT_EQ(agent::knowledge::part_question().least_similarity, 0.3)
        << "as other searches have it";
    EXPECT_EQ(searched.front().at("filter"), json::parse(R"({"team": "sales"})"));
}

TEST_F(knowledge_tool, pays_for_the_vector_of_its_query) {
    scripted_embedder embedder;
    w.adjust = [&](flow::node_services& services) { services.embedder = &embedder; };

    call(user_id{8});

    EXPECT_EQ(searched.at(0).at("vector"), "[0.5,1]");
    EXPECT_EQ(w.record.paid.tokens_in, 7 + 2 * 10) << "with the model's";
}

TEST_F(knowledge_tool, is_refused_where_the_collection_is_not_open) {
    open_to(std::nullopt, "owners");
    EXPECT_THAT(call(user_id{8}), HasSubstr("may not be searched"));
    EXPECT_THAT(searched, IsEmpty());
}

TEST_F(knowledge_tool, of_owners_answers_an_owner) {
    open_to(R"(["support"])", "owners");
    EXPECT_THAT(call(user_id{7}), HasSubstr("ten euros"));
}

TEST_F(knowledge_tool, of_another_flow_is_refused_to_its_owner_too) {
    open_to(R"(["sales"])", "allowed");
    EXPECT_THAT(call(user_id{7}), Not(HasSubstr("ten euros")));
}

TEST_F(knowledge_tool, says_where_there_is_nothing) {
    parts.clear();
    EXPECT_THAT(call(user_id{8}), HasSubstr("No document"));
}

struct knowledge_step : testing::Test, knowledge_world {
    knowledge_step()
        : knowledge_world(flow_builder("support")
                              .trigger("In", "manual")
                              .node(
                                  "Search",
                                  "knowledge.search",
                                  {{"collection", "docs"}, {"query", "{{ $json.text }}"}}
                              )
                              .text()) {}
};

TEST_F(knowledge_step, adds_the_results_to_each_item_once) {
    auto const first = w.run(json::object{{"text", "What are the fees?"}});
    ASSERT_EQ(first.state, queue::job_state::completed) << first.error.detail;
    auto const items = json::parse(flow_world::ended(first)).as_array();

    ASSERT_THAT(items, SizeIs(1));
    EXPECT_EQ(items.front().at("text"), "What are the fees?");
    auto const& result = items.front().at("results").at(0);
    EXPECT_EQ(result.at("citation"), "[fees.pdf, page 3]");
    EXPECT_EQ(result.at("score"), 0.9);
    EXPECT_EQ(result.at("metadata").at("team"), "sales");
    w.run(json::object{{"text", "What are the fees?"}});
    EXPECT_THAT(searched, SizeIs(1)) << "the record has it";
}

TEST_F(knowledge_step, fails_where_the_collection_is_not_there_or_not_open) {
    collection.clear();
    EXPECT_EQ(w.run(json::object{{"text", "Fees?"}}).error, base::errc::not_found);
}

TEST_F(knowledge_step, that_nobody_asked_is_no_owner) {
    open_to(std::nullopt, "owners");
    EXPECT_EQ(w.run(json::object{{"text", "Fees?"}}).error, base::errc::refused);
}

} // namespace
} // namespace postrider::tests::knowledge_nodes_test
