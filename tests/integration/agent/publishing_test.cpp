// Publishing, against a real Postgres: what two do at once, and what it costs beside many flows.
#include "agent/flow/catalog.hpp"
#include "agent/flow/library/lifecycle.hpp"
#include "base/clock.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/postgres.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <future>
#include <map>

namespace postrider::agent::flow::publishing_test {
namespace {

using namespace std::chrono_literals;

std::string hook(std::string_view name, std::string_view path) {
    boost::json::object const parameters{{"path", path}, {"secret", "s"}};
    return tests::flow_builder(name).trigger("In", "webhook", parameters).text();
}

// How many rows each statement gave, by its name.
class counting_transaction final : public storage::transaction {
public:
    explicit counting_transaction(storage::transaction& inner) : inner_(inner) {}

    storage::rows query(
        storage::statement const& statement, std::vector<storage::param> const& params
    ) override {
        auto rows = inner_.query(statement, params);
        row_counts[std::string(statement.name)] += rows.size();
        return rows;
    }
    void script(std::string_view sql) override { inner_.script(sql); }

    std::map<std::string, std::size_t> row_counts;

private:
    storage::transaction& inner_;
};

class publishing : public testing::Test {
protected:
    allowed<imported> publish(storage::transaction& tx, std::string_view document) {
        auto const document_candidate = read_candidate(document, by);
        if (!document_candidate) return document_candidate.error();
        return import(tx, *document_candidate, {.publish = true}, {"test"}, by);
    }
    // Its transaction ends after `then`.
    allowed<imported> publish(
        std::string const& document, std::function<void()> then = [] {}
    ) {
        std::optional<allowed<imported>> done;
        storage::run_blocking(database.options(), [&](storage::transaction& tx) {
            done = publish(tx, document);
            then();
        }).value();
        return std::move(*done);
    }
    void wait_until(std::string_view condition) {
        auto const end = base::system_clock().steady() + 10s;
        while (database.value(condition) != "t") {
            ASSERT_LT(base::system_clock().steady(), end) << condition;
            std::this_thread::yield();
        }
    }

    tests::test_database database;
    catalog types = builtin_types();
    validator by{&types, {{{"secret", {"s"}}}, {}}};
};

TEST_F(publishing, of_one_path_by_two_at_once_lets_the_first_have_it) {
    std::future<allowed<imported>> second;
    auto const first = publish(hook("first", "orders"), [&] {
        second = std::async(std::launch::async, [&] { return publish(hook("second", "orders")); });
        wait_until(
            "select exists (select from pg_locks where locktype = 'advisory' and not granted and "
            "database = (select oid from pg_database where datname = current_database()))"
        );
    });
    auto const refused = second.get();
    EXPECT_TRUE(first);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().problems.at(0).code, "path_taken");
}

TEST_F(publishing, looks_at_the_other_flows_that_speak_of_the_same_path) {
    EXPECT_TRUE(publish(hook("orders", "orders")));
    EXPECT_TRUE(publish(hook("invoices", "invoices")));
    EXPECT_TRUE(publish(hook("beside", "orders/new"))) << "its path only begins like that";
    EXPECT_FALSE(publish(hook("rival", "invoices")));
}

// Each way in which a document names another flow.
TEST_F(publishing, of_what_names_an_unknown_flow_is_refused) {
    auto const codes_of = [&](std::string const& document) {
        auto const refused = publish(document);
        std::vector<std::string> codes;
        if (!refused)
            for (auto const& problem : refused.error().problems) codes.push_back(problem.code);
        return codes;
    };
    for (auto const* type : {"call_flow", "tool.flow"})
        EXPECT_THAT(
            codes_of(tests::flow_builder("asks")
                         .trigger("In", "manual")
                         .trigger("N", type, {{"flow", "ordres"}})
                         .text()),
            testing::Contains("unknown_flow")
        ) << type;
    auto const failing = tests::flow_builder("asks")
                             .settings({{"error_flow", "ordres"}})
                             .trigger("In", "manual")
                             .text();
    EXPECT_THAT(codes_of(failing), testing::Contains("unknown_flow"));
    EXPECT_TRUE(publish(hook("ordres", "x")));
    EXPECT_THAT(codes_of(failing), testing::IsEmpty());
}

// A call would fail each time: nothing starts there.
TEST_F(publishing, of_what_calls_a_flow_without_a_manual_trigger_is_refused) {
    auto const calling = [](std::string_view flow,
                            std::string_view trigger = "manual",
                            boost::json::object parameters = {}) {
        return tests::flow_builder("asks")
            .trigger("In", trigger, std::move(parameters))
            .node("N", "call_flow", {{"flow", flow}})
            .text();
    };
    auto const refused_paths = [&](std::string const& document) {
        auto const refused = publish(document);
        std::vector<std::string> paths;
        if (!refused)
            for (auto const& problem : refused.error().problems)
                paths.push_back(problem.code + " " + problem.path);
        return paths;
    };
    auto const refused = testing::ElementsAre("not_callable /nodes/1/parameters/flow");
    ASSERT_TRUE(publish(hook("orders", "orders")));
    EXPECT_THAT(refused_paths(calling("orders")), refused);
    EXPECT_THAT(
        refused_paths(calling("asks", "webhook", {{"path", "asks"}, {"secret", "s"}})), refused
    ) << "itself";
    EXPECT_THAT(refused_paths(calling("asks")), testing::IsEmpty());
    EXPECT_THAT(refused_paths(calling("{{ $json.flow }}")), testing::IsEmpty());

    ASSERT_TRUE(publish(tests::flow_builder("orders").trigger("In", "manual").text()));
    EXPECT_THAT(refused_paths(calling("orders")), testing::IsEmpty());
}

// Beside 60 flows one is published by as many statements, which read as many rows, as beside one.
TEST_F(publishing, reads_no_more_beside_many_flows) {
    auto const reads_of = [&](int number) {
        std::map<std::string, std::size_t> row_counts;
        storage::run_blocking(database.options(), [&](storage::transaction& tx) {
            counting_transaction counted(tx);
            auto const name = fmt::format("flow{:03}", number);
            EXPECT_TRUE(publish(counted, hook(name, name)));
            row_counts = std::move(counted.row_counts);
        }).value();
        return row_counts;
    };
    EXPECT_TRUE(publish(hook("first", "first")));

    auto const early = reads_of(0);
    for (int number = 1; number < 60; ++number) (void)reads_of(number);
    EXPECT_EQ(reads_of(60), early);
    EXPECT_FALSE(early.contains("flows.published")) << "it names no other flow";
}

} // namespace
} // namespace postrider::agent::flow::publishing_test
