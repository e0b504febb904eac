// Publishing, against a real Postgres: what two do at once, and what it costs beside many flows.
#include "agent/flow/catalog.hpp"
#include "agent/flow/library/lifecycle.hpp"
#include "base/clock.hpp"
#include "tests/support/postgres.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <future>

namespace postrider::agent::flow {
namespace {

using namespace std::chrono_literals;

std::string hook(std::string_view name, std::string_view path) {
    return fmt::format(
        R"({{"format": 1, "name": "{}", "nodes": [
            {{"id": "in", "name": "In", "type": "webhook", "parameters": {{"path": "{}", "secret": "s"}}}}]}})",
        name,
        path
    );
}

class publishing : public testing::Test {
protected:
    allowed<imported> publish(storage::transaction& tx, std::string_view document) {
        auto const made = read_candidate(document, by);
        if (!made) return made.error();
        return import(tx, *made, {.publish = true}, {"test"}, by);
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
    validator by{&types, {{}, {}, {}, {"s"}}};
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

} // namespace
} // namespace postrider::agent::flow
