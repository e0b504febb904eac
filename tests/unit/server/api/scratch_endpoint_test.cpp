// An endpoint is one value: these two stand in no list of the product, and everything that the API
// does with an endpoint, it does with them.
#include "server/api/endpoint.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/server/telegram/recording_database.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api {
namespace {

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
    net::http_response ask(endpoint const& which, std::string const& token, std::string name) {
        auto const route = to_route(which, {db, who, counts});
        net::http_request request;
        request.method = which.method;
        request.path = which.pattern;
        request.headers = {{"Authorization", "Bearer " + token}};
        request.params = {{"name", std::move(name)}};
        return io.run(route.handle(std::move(request)));
    }

    no_reads reads;
    telegram::recording_database db;
    base::manual_clock clock;
    tests::loop io;
    authentication who{{base::secret("owners"), token_mint(base::secret("key"))}, reads, db, clock};
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

} // namespace
} // namespace postrider::api
