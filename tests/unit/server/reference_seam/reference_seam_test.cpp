// What follows from a line in the table of references: the validator checks a parameter that has its mark,
// and the API offers what the parameter may name.
#include "agent/flow/nodes/read_node_type.hpp"
#include "server/api/endpoints.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace postrider::api::reference_seam_test {
namespace {

namespace flow = agent::flow;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

flow::catalog with_shelves() {
    flow::catalog types;
    types.add(flow::read_node_type(
        R"({
            "name": "scratch.fetch",
            "group": "trigger",
            "title": "Fetch",
            "description": "Starts an execution for each book of a shelf.",
            "outputs": [{"name": "main", "title": "items"}],
            "parameters": {"properties": {"shelf": {"title": "Shelf", "description": "Which.", "type": "string", "x-reference": "shelf"}}}
        })",
        flow::trigger{.source = flow::trigger_source::caller}
    ));
    return types;
}

flow::validation_context shelves() {
    flow::validation_context context;
    context.names["shelf"] = {"lower", "upper"};
    return context;
}

std::vector<flow::problem> problems_of(std::string_view parameters) {
    auto const text = tests::flow_text(tests::node_text("in", "scratch.fetch", parameters));
    return flow::validate(tests::read_flow(text), with_shelves(), shelves());
}

TEST(reference_seam, the_validator_knows_its_names) {
    EXPECT_THAT(problems_of(R"("shelf":"upper")"), IsEmpty());

    auto const problems = problems_of(R"("shelf":"uper")");

    ASSERT_THAT(tests::codes(problems), ElementsAre("unknown_shelf /nodes/0/parameters/shelf"));
    EXPECT_EQ(problems[0].message, R"(there is no shelf "uper")");
    EXPECT_EQ(problems[0].hint, R"(did you mean "upper"?)");
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

class no_queries final : public storage::transaction {
public:
    storage::rows query(storage::statement const& statement, std::vector<storage::param> const&)
        override {
        throw std::logic_error(std::string(statement.name));
    }
    void script(std::string_view) override {}
};

// Runs work at once, as if in a transaction.
class immediate_database final : public storage::database {
public:
    base::awaitable<base::result<void>> run(
        std::string_view, std::function<void(storage::transaction&)> work, base::duration
    ) override {
        no_queries tx;
        work(tx);
        co_return base::result<void>{};
    }
    base::awaitable<base::result<storage::rows>> query(
        storage::statement, std::vector<storage::param>, base::duration
    ) override {
        co_return base::errc::unavailable;
    }
    storage::database_options const& options() const override { return options_; }
    void close() override {}

private:
    storage::database_options options_;
};

class options_of : public testing::Test {
protected:
    net::http_response ask(std::string reference, std::string query = {}) {
        flow_services flows{.validator = {.types = &types_, .context = shelves()}};
        resources const with{.random = base::system_random(), .flows = std::move(flows)};
        auto endpoints = option_endpoints(with);
        auto const route =
            to_route(std::move(endpoints.at(0)), {{db_, db_, db_}, callers_, counts_});
        net::http_request request;
        request.method = route.method;
        request.path = route.pattern;
        request.query = std::move(query);
        request.headers = {{"Authorization", "Bearer owners"}};
        request.params = {{"reference", std::move(reference)}};
        return io_.run(route.handle(std::move(request)));
    }

private:
    flow::catalog types_ = with_shelves();
    no_reads reads_;
    immediate_database db_;
    base::manual_clock clock_;
    tests::loop io_;
    access_secrets const secrets_{base::secret("owners"), token_mint(base::secret("key"))};
    authentication callers_{secrets_, reads_, db_, clock_};
    status_counts counts_{};
};

TEST_F(options_of, a_reference_are_offered_by_the_api) {
    auto const all = ask("shelf");

    EXPECT_EQ(all.status, 200) << all.body;
    EXPECT_EQ(boost::json::parse(all.body), boost::json::parse(R"({"options": [
            {"name": "lower", "title": "the lower one"},
            {"name": "upper", "title": "the upper one"}]})"));
    EXPECT_EQ(
        boost::json::parse(ask("shelf", "search=upp").body),
        boost::json::parse(R"({"options": [{"name": "upper", "title": "the upper one"}]})")
    );
}

TEST_F(options_of, a_reference_without_any_have_its_own_words) {
    EXPECT_EQ(
        boost::json::parse(ask("flow").body),
        boost::json::parse(R"({"options": [], "none": "No flows yet. Publish one."})")
    );
    EXPECT_EQ(
        boost::json::parse(ask("shelf", "search=cellar").body),
        boost::json::parse(R"({"options": [], "none": "No shelf matches."})")
    );
    EXPECT_EQ(
        boost::json::parse(ask("shelf", "search=cellar&cursor=upper").body),
        boost::json::parse(R"({"options": []})")
    ) << "the pages before it had some";
}

TEST_F(options_of, another_name_says_which_there_are) {
    auto const answer = ask("shelv");

    EXPECT_EQ(answer.status, 404);
    EXPECT_THAT(answer.body, HasSubstr("there are flow, shelf"));
}

} // namespace
} // namespace postrider::api::reference_seam_test
