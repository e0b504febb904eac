// Which published flows speak of a path, a chat or a command.
#include "storage/stores/flows.hpp"
#include "tests/support/postgres.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::flow_openings_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class flow_openings : public testing::Test {
protected:
    void change(std::function<void(transaction&)> work) {
        run_blocking(database.options(), std::move(work)).value();
    }
    // A webhook, and a node behind it.
    static std::string document(std::string_view path) {
        return fmt::format(
            R"({{"nodes": [{{"id": "in", "parameters": {{"path": "{}", "chats": [-100]}}}},
                           {{"id": "end", "parameters": {{"path": "behind"}}}}],
                "connections": [{{"from": "in", "to": "end"}}]}})",
            path
        );
    }
    // Its next version.
    void publish(std::string_view name, std::string_view text) {
        change([&](transaction& tx) {
            create_flow(tx, name, text);
            auto const flow = lock_flow(tx, name).value();
            publish_draft(
                tx, flow.id, save_draft(tx, flow.id, text, flow.revision).value(), "cli", ""
            );
        });
    }
    std::vector<std::string> naming(std::string_view word) {
        std::vector<std::string> names;
        change([&](transaction& tx) {
            for (auto const& opening : list_openings(tx, word)) names.push_back(opening.of.name);
        });
        return names;
    }

    tests::test_database database;
};

TEST_F(flow_openings, are_found_by_what_they_speak_of) {
    publish("a", document("orders"));
    publish("b", document("orders/new"));
    change([&](transaction& tx) { create_flow(tx, "draft", document("orders")); });

    EXPECT_THAT(naming("orders"), ElementsAre("a"));
    EXPECT_THAT(naming("-100"), ElementsAre("a", "b"));
    EXPECT_THAT(naming("behind"), IsEmpty());
    publish("a", document("invoices"));
    EXPECT_THAT(naming("orders"), IsEmpty()) << "a version of before";
    publish("long", document(std::string(5000, 'x')));
    change([&](transaction& tx) { archive_flow(tx, lock_flow(tx, "b")->id); });
    EXPECT_THAT(naming("-100"), ElementsAre("a", "long"));
}

} // namespace
} // namespace postrider::storage::flow_openings_test
