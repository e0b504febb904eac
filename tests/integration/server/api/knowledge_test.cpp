// Collections and their documents over the API.
#include "agent/models/embedding/embedder.hpp"
#include "tests/integration/server/api/api_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::knowledge_test {
namespace {

using testing::SizeIs;

constexpr auto collections = "/api/v1/collections";
constexpr auto documents = "/api/v1/collections/docs/documents";

// The same vector for every text, for seven tokens.
class seven_token_embedder final : public agent::embedder {
public:
    std::string const& name() const override { return name_; }
    int dimension() const override { return 2; }
    std::int64_t cost_micro(std::int64_t tokens) const override { return tokens; }
    base::awaitable<base::result<agent::embedded_texts>> embed(
        std::vector<std::string> texts, std::chrono::milliseconds
    ) override {
        ++calls;
        agent::embedded_texts embedded;
        embedded.vectors.assign(texts.size(), {1.0f, 0.0f});
        embedded.tokens = 7;
        co_return embedded;
    }

    int calls = 0;

private:
    std::string name_ = "seven/tokens";
};

class knowledge_api : public testing::Test {
protected:
    knowledge_api() {
        EXPECT_EQ(world.ask("POST", collections, R"({"name": "docs"})").status, 201);
    }
    // As the job does it.
    void make_ready(int document, std::string const& text) {
        auto const id = std::to_string(document);
        world.database.execute(
            "select postrider.note_document(" + id + ", 1, null, null, null, 'Title', null, 1, 1)"
        );
        world.database.execute(
            "select postrider.add_parts(" + id +
            ", 1, 'en', '[{\"number\": 1, \"page\": 3, \"heading\": \"Fees\", \"content\": \"" +
            text + "\"}]')"
        );
        world.database.execute("select postrider.finish_document(" + id + ", 1)");
    }

    api_world world;
};

TEST_F(knowledge_api, makes_shows_changes_and_deletes_collections) {
    auto const created = world.ask(
        "POST",
        collections,
        R"({"name": "hr", "description": "Leave", "access": {"flows": ["support"], "people": "owners"}})"
    );
    EXPECT_EQ(created.status, 201);
    EXPECT_EQ(created.body.at("access").at("people"), "owners");
    EXPECT_EQ(world.ask("POST", collections, R"({"name": "hr"})").status, 409);
    auto const listed = world.get(collections).body.at("collections").as_array();
    ASSERT_THAT(listed, SizeIs(2));
    EXPECT_EQ(listed.at(0).at("name"), "hr") << "the newest first";

    auto const changed =
        world.ask("PATCH", "/api/v1/collections/hr", R"({"access": {"people": "allowed"}})");
    EXPECT_EQ(changed.status, 200);
    EXPECT_EQ(changed.body.at("description"), "Leave") << "what is not given stays";
    EXPECT_FALSE(changed.body.at("access").as_object().contains("flows"));
    EXPECT_EQ(world.ask("DELETE", "/api/v1/collections/hr").status, 204);
    EXPECT_EQ(world.get("/api/v1/collections/hr").status, 404);
    EXPECT_EQ(
        world.database.value("select string_agg(kind, ' ' order by number) from postrider.audit "
                             "where subject = 'collection:hr'"),
        "collection_create collection_change collection_remove"
    );
}

// covers: S3.20
TEST_F(knowledge_api, takes_a_document_and_tells_how_far_it_is_read) {
    auto const added = world.ask(
        "POST", std::string(documents) + "?name=fees.txt&metadata=%7B%22team%22%3A1%7D", "Fees."
    );
    ASSERT_EQ(added.status, 202);
    EXPECT_EQ(added.body.at("state"), "reading");
    EXPECT_EQ(added.body.at("bytes"), 5);
    EXPECT_EQ(added.body.at("metadata").at("team"), 1);
    EXPECT_TRUE(added.body.at("job").is_int64());
    auto const again = world.ask("POST", std::string(documents) + "?name=fees.txt", "Fees.");
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(again.body.at("unchanged"), true);

    make_ready(1, "Fees are ten euros.");

    auto const read = world.get(std::string(documents) + "/1").body;
    EXPECT_EQ(read.at("state"), "ready");
    EXPECT_EQ(read.at("embedded"), 0) << "without a vector";
    auto const parts = world.get(std::string(documents) + "/1/parts").body.at("parts").as_array();
    ASSERT_THAT(parts, SizeIs(1));
    EXPECT_EQ(parts.front().at("page"), 3);
    auto const results =
        world.get("/api/v1/collections/docs/search?query=fees&filter=%7B%7D").body.at("results");
    ASSERT_THAT(results.as_array(), SizeIs(1));
    EXPECT_EQ(results.at(0).at("document"), "fees.txt");
    EXPECT_EQ(results.at(0).at("page"), 3);
    EXPECT_EQ(world.ask("DELETE", std::string(documents) + "/1").status, 204);
    EXPECT_EQ(world.ask("DELETE", std::string(documents) + "/1").status, 404);
}

TEST_F(knowledge_api, pays_for_the_vector_of_a_question_as_a_turn_does) {
    seven_token_embedder embedder;
    agent::budgets budgets;
    budgets.limits["total"].calls = 1;
    world.executions_here.use(embedder);
    world.executions_here.use(std::move(budgets));
    auto const audited = [this](std::string const& kind) {
        return world.database.value(
            "select string_agg(concat_ws(' ', subject, detail ->> 'outcome', detail ->> "
            "'tokens_in'), ', ') "
            "from postrider.audit where kind = '" +
            kind + "'"
        );
    };

    auto const paid = world.get("/api/v1/collections/docs/search?query=fees");

    EXPECT_EQ(paid.status, 200);
    EXPECT_FALSE(paid.body.as_object().contains("degraded"));
    EXPECT_EQ(
        world.database.value("select scope || ' ' || calls || ' ' || tokens || ' ' || cost_micro "
                             "from postrider.budget_day where calls > 0"),
        "total 1 7 7"
    );
    EXPECT_EQ(world.database.value("select count(*) from postrider.budget_hold"), "0");
    EXPECT_EQ(audited("model_call"), "collection:docs answered 7");

    auto const unpaid = world.get("/api/v1/collections/docs/search?query=fees");

    EXPECT_EQ(unpaid.status, 200);
    EXPECT_EQ(unpaid.body.at("degraded"), true) << "the words alone are searched";
    EXPECT_EQ(world.get("/api/v1/collections/none/search?query=fees").status, 404);
    EXPECT_EQ(embedder.calls, 1);
    EXPECT_EQ(audited("budget_stop"), "collection:docs");
}

// covers: S3.20
TEST_F(knowledge_api, lists_documents_page_by_page) {
    for (auto const* name : {"a.txt", "b.txt", "c.md"})
        world.ask("POST", std::string(documents) + "?name=" + name, name);
    make_ready(2, "Bees.");

    auto const page = world.get(std::string(documents) + "?limit=2");
    ASSERT_THAT(page.body.at("documents").as_array(), SizeIs(2));
    EXPECT_EQ(page.body.at("documents").at(0).at("name"), "c.md") << "the newest first";
    EXPECT_EQ(page.body.at("next"), "2");
    auto const rest = world.get(std::string(documents) + "?limit=2&after=2");
    EXPECT_EQ(rest.body.at("documents").at(0).at("name"), "a.txt");
    EXPECT_FALSE(rest.body.as_object().contains("next"));
    auto const ready = world.get(std::string(documents) + "?state=ready").body.at("documents");
    EXPECT_THAT(ready.as_array(), SizeIs(1));
    auto const named = world.get(std::string(documents) + "?search=.MD").body.at("documents");
    EXPECT_THAT(named.as_array(), SizeIs(1));
}

TEST_F(knowledge_api, takes_an_address_and_says_what_is_wrong) {
    auto const json = std::string(documents);
    auto const added = world.ask("POST", json, R"({"url": "https://example.org/fees.pdf"})");
    EXPECT_EQ(added.status, 202);
    EXPECT_EQ(added.body.at("source"), "https://example.org/fees.pdf");

    EXPECT_EQ(world.ask("POST", json, R"({"url": "ftp://example.org/fees.pdf"})").status, 400);
    EXPECT_EQ(world.ask("POST", json + "?name=empty.txt", "").status, 400);
    EXPECT_EQ(world.ask("POST", json + "?name=a.txt&metadata=x", "A").status, 400);
    EXPECT_EQ(world.ask("POST", collections, R"({"name": "No such name"})").status, 400);
    EXPECT_EQ(
        world.ask("POST", collections, R"({"name": "a", "access": {"people": "all"}})").status, 400
    );
    EXPECT_EQ(world.get("/api/v1/collections/docs/search").status, 400);
    EXPECT_EQ(world.get("/api/v1/collections/docs/search?query=a&filter=x").status, 400);
    EXPECT_EQ(world.get("/api/v1/collections/none/search?query=a").status, 404);
    EXPECT_EQ(world.get(json + "/9").status, 404);
    EXPECT_EQ(world.get(json + "/9/parts").status, 404);
    EXPECT_EQ(world.get(json + "?state=gone").status, 400);
}

TEST_F(knowledge_api, stores_a_declared_type_that_is_no_utf8) {
    net::header_list const headers{
        {"Authorization", "Bearer " + std::string(api_world::owner)},
        {"Content-Type", "text/plain; charset=\xE9"}};

    auto const added = world.send("POST", std::string(documents) + "?name=a.txt", headers, "A.");

    EXPECT_EQ(added.status, 202);
    EXPECT_EQ(added.body.at("media_type"), "text/plain; charset=\xEF\xBF\xBD");
}

TEST_F(knowledge_api, is_changed_by_owners_alone) {
    auto const reader = world.make_token("reader");

    EXPECT_EQ(world.ask("GET", collections, "", reader).status, 200);
    EXPECT_EQ(world.ask("GET", "/api/v1/collections/docs/search?query=a", "", reader).status, 200);
    EXPECT_EQ(world.ask("POST", collections, R"({"name": "x"})", reader).status, 403);
    EXPECT_EQ(world.ask("POST", std::string(documents) + "?name=a.txt", "A", reader).status, 403);
}

} // namespace
} // namespace postrider::tests::knowledge_test
