// An endpoint is one value with its part of the API's description: these stand in no other file, and
// everything that the API does with an endpoint, it does with them.
#include "agent/flow/catalog.hpp"
#include "server/api/description.hpp"
#include "server/api/rest.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/server/telegram/recording_database.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

namespace postrider::api::scratch_endpoint_test {
namespace {

constexpr std::string_view part = R"({
  "paths": {
    "/api/v1/greetings/{name}": {
      "get": {
        "operationId": "greet",
        "summary": "Says hello",
        "responses": {
          "200": {
            "description": "hello",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Greeting"}}}
          },
          "401": {"$ref": "#/components/responses/Unauthorized"}
        }
      }
    }
  },
  "schemas": {
    "Greeting": {"type": "object", "required": ["hello"], "properties": {"hello": {"type": "string"}}}
  }
})";

base::awaitable<net::http_response> greet(call from) {
    std::string const name(from.request.param("name"));
    co_return net::http_response::json(200, "{\"hello\": \"" + name + "\"}");
}

planned count(net::http_request const& request) {
    if (request.param("name").empty()) return net::http_response::problem(400, "invalid", "who?");
    return work([](storage::transaction&) { return net::http_response::empty(204); });
}

class no_reads final : public storage::batcher {
public:
    base::awaitable<base::result<void>> commit(std::shared_ptr<storage::unit>, base::duration)
        override {
        co_return base::errc::unavailable;
    }
    storage::batcher_counts counts() const override { return {}; }
    void close() override {}
};

struct scratch_endpoint : testing::Test {
    net::http_response ask(endpoint const& asked, std::string const& token, std::string name) {
        return ask(to_route(asked, {{db, db, db}, callers, counts}), token, std::move(name));
    }
    net::http_response ask(net::route const& route, std::string const& token, std::string name) {
        net::http_request request;
        request.method = route.method;
        request.path = route.pattern;
        request.headers = {{"Authorization", "Bearer " + token}};
        request.params = {{"name", std::move(name)}};
        return io.run(route.handle(std::move(request)));
    }

    no_reads reads;
    telegram::recording_database db;
    base::manual_clock clock;
    tests::loop io;
    access_secrets const secrets{base::secret("owners"), token_mint(base::secret("key"))};
    authentication callers{secrets, reads, db, clock};
    status_counts counts{};
};

TEST_F(scratch_endpoint, answers_whoever_is_let_in_and_is_counted) {
    endpoint const scratch{"GET", "/api/v1/greetings/{name}", greet};

    auto const answer = ask(scratch, "owners", "Ada");
    auto const stranger = ask(scratch, "", "Ada");

    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, R"({"hello": "Ada"})");
    EXPECT_EQ(stranger.status, 401);
    EXPECT_EQ(counts[2], 1u);
    EXPECT_EQ(counts[4], 1u);
}

TEST_F(scratch_endpoint, may_be_a_plan_for_one_transaction) {
    endpoint const scratch{"GET", "/api/v1/greetings/{name}", in_a_transaction(count)};

    auto const wrong = ask(scratch, "owners", "");
    ask(scratch, "owners", "Ada");

    EXPECT_EQ(wrong.status, 400);
    EXPECT_THAT(db.asked, testing::ElementsAre("/api/v1/greetings/{name}")) << "none for a mistake";
}

// As one of a file in endpoints.def: its route and its description follow.
// covers: X.18
TEST_F(scratch_endpoint, is_served_and_described_once_it_is_added) {
    auto const types = agent::flow::builtin_types();
    rest all({db, db, db}, reads, secrets, clock, {base::system_random(), {{&types, {}}}});
    all.add(described_by(part, {{"GET", "/api/v1/greetings/{name}", greet}}));

    auto const routes = all.routes();

    auto const route = std::ranges::find(routes, "/api/v1/greetings/{name}", &net::route::pattern);
    ASSERT_NE(route, routes.end());
    EXPECT_EQ(ask(*route, "owners", "Ada").body, R"({"hello": "Ada"})");
    EXPECT_EQ(all.counts()[2], 1u);
    auto const description = std::ranges::find(routes, "/api/openapi.json", &net::route::pattern);
    ASSERT_NE(description, routes.end());
    auto const told = boost::json::parse(ask(*description, "", "").body);
    auto const own = boost::json::parse(part);
    auto const& paths = told.at("paths").as_object();
    EXPECT_EQ(paths.at("/api/v1/greetings/{name}"), own.at("paths").at("/api/v1/greetings/{name}"));
    EXPECT_EQ(told.at("components").at("schemas").at("Greeting"), own.at("schemas").at("Greeting"));
    EXPECT_TRUE(paths.contains("/api/v1/jobs")) << "the product's stand beside it";
    EXPECT_TRUE(told.at("components").at("responses").as_object().contains("Unauthorized"));
}

// The build takes the sources and the parts from the same table.
TEST(endpoints, are_a_file_and_its_description_and_a_line_of_the_table) {
    std::multiset<std::string> listed;
#define ENDPOINTS(name) listed.insert({#name "_endpoints.cpp", #name "_endpoints.openapi.json"});
#include "server/api/endpoints.def"
#undef ENDPOINTS

    std::multiset<std::string> files;
    for (auto const& entry : std::filesystem::directory_iterator("server/api"))
        if (auto const name = entry.path().filename().string();
            name.find("_endpoints.") != name.npos)
            files.insert(name);

    EXPECT_EQ(files, listed);
}

TEST_F(scratch_endpoint, is_described_by_its_part_alone) {
    std::vector<endpoint> const undescribed{{"GET", "/api/v1/greetings/{name}", greet}};
    auto const several = described_by(
        part,
        {{"GET", "/api/v1/greetings/{name}", greet}, {"POST", "/api/v1/greetings/{name}", greet}}
    );
    auto const paths = [](std::vector<endpoint> const& endpoints) {
        return boost::json::parse(describe(endpoints)).at("paths").as_object().size();
    };

    EXPECT_EQ(paths(several), paths(undescribed) + 1) << "endpoints of one file share a part";
}

TEST_F(scratch_endpoint, is_not_described_twice) {
    std::string const again(part.data(), part.size());
    std::string const other = again + " ";
    std::vector<endpoint> both{
        {"GET", "/api/v1/greetings/{name}", greet}, {"GET", "/api/v1/greetings/{name}", greet}};
    both[0].part = again;
    both[1].part = other;

    EXPECT_THROW(describe(both), std::logic_error);
}

} // namespace
} // namespace postrider::api::scratch_endpoint_test
