// What parameters with x-reference may name: GET /api/v1/options/{reference}.
#include "agent/flow/validate/references.hpp"
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/flow_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::options_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> names_in(json::value const& body) {
    std::vector<std::string> names;
    for (auto const& option : body.at("options").as_array())
        names.emplace_back(option.at("name").as_string());
    return names;
}

struct options_world : api_world {
    std::vector<std::string> names_of(std::string const& reference_and_query) {
        auto const answer = get("/api/v1/options/" + reference_and_query);
        EXPECT_EQ(answer.status, 200) << reference_and_query;
        return names_in(answer.body);
    }
};

TEST(api_options, are_there_for_every_reference) {
    options_world world;
    for (auto const& reference : agent::flow::references())
        world.names_of(std::string(reference.name));
    EXPECT_THAT(world.names_of("model"), ElementsAre("default"));
    EXPECT_THAT(world.names_of("bot"), ElementsAre("main"));
    EXPECT_THAT(world.names_of("secret"), IsEmpty());
}

TEST(api_options, that_are_none_say_how_to_add_one) {
    options_world world;

    auto const answer = world.get("/api/v1/options/credential");

    EXPECT_EQ(
        answer.body.at("none").as_string(),
        "No credentials yet. Add [credentials.NAME] to the configuration."
    );
    for (auto const& reference : agent::flow::references()) {
        EXPECT_FALSE(reference.plural.empty()) << reference.name;
        EXPECT_TRUE(reference.first.ends_with('.')) << reference.name;
    }
}

TEST(api_options, come_from_the_database_where_it_knows_them) {
    options_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("orders"));
    world.database.execute(
        "insert into postrider.session_message (session, job_id, position, role, content) values "
        "('ann', 41, 0, 'user', 'x'), ('ann', 41, 1, 'user', 'x'), ('Bob', 41, 2, 'user', 'x'), "
        "('cynthia', 41, 3, 'user', 'x')"
    );
    world.database.execute("insert into postrider.mcp_tool (server, tool, digest, definition) "
                           "values ('files', 'read', 'd', '{}')");

    EXPECT_THAT(world.names_of("flow"), ElementsAre("orders"));
    EXPECT_THAT(world.names_of("mcp_tool"), ElementsAre("files_read"));
    EXPECT_THAT(world.names_of("session"), testing::UnorderedElementsAre("ann", "Bob", "cynthia"));
    EXPECT_THAT(world.names_of("session?search=BO"), ElementsAre("Bob"));
    EXPECT_THAT(world.names_of("session?search=%25"), IsEmpty()) << "it is no pattern";
}

TEST(api_options, are_searched_and_paged) {
    options_world world;

    EXPECT_THAT(world.names_of("timezone?search=europe/ber"), ElementsAre("Europe/Berlin"));
    auto const first = world.get("/api/v1/options/timezone?search=america&limit=2");
    auto const next = std::string(first.body.at("next").as_string());
    auto const second =
        world.names_of("timezone?search=america&limit=2&cursor=" + names_in(first.body).back());
    EXPECT_EQ(next, names_in(first.body).back());
    EXPECT_GT(second.front(), names_in(first.body).back());
    EXPECT_FALSE(world.get("/api/v1/options/model").body.as_object().contains("next"));
}

TEST(api_options, of_an_unknown_reference_are_404_with_the_known_ones) {
    options_world world;

    auto const answer = world.get("/api/v1/options/modle");

    EXPECT_EQ(answer.status, 404);
    EXPECT_THAT(
        std::string(answer.body.at("detail").as_string()),
        HasSubstr("there is no reference modle; there are bot, ")
    );
    EXPECT_EQ(world.send("GET", "/api/v1/options/model", {}).status, 401);
}

} // namespace
} // namespace postrider::tests::options_test
