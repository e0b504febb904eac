#include "storage/stores/flows.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

namespace postrider::storage::flows_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;
using testing::UnorderedElementsAre;

class flows : public testing::Test {
protected:
    // What the work returns, from a transaction of its own.
    template<class Work>
    auto in_transaction(Work work) {
        std::optional<decltype(work(std::declval<transaction&>()))> result;
        run_blocking(database.options(), [&](transaction& tx) {
            result.emplace(work(tx));
        }).value();
        return std::move(*result);
    }

    flow_row create(std::string_view name, std::string_view document = "{}") {
        return in_transaction([&](auto& tx) { return create_flow(tx, name, document); }).value();
    }
    flow_row find(std::string_view name) {
        return in_transaction([&](auto& tx) { return find_flow(tx, name); }).value();
    }
    auto save(flow_row const& flow, std::string_view document) {
        return in_transaction([&](auto& tx) {
            return save_draft(tx, flow.id, document, flow.revision);
        });
    }
    auto publish(flow_row const& flow, std::string_view note = "") {
        return in_transaction([&](auto& tx) {
            return publish_draft(tx, flow.id, flow.revision, "token:7", note);
        });
    }
    std::string draft(flow_row const& flow) {
        return in_transaction([&](auto& tx) { return read_draft(tx, flow.id); });
    }
    auto ship(std::string_view document) {
        return in_transaction([&](auto& tx) { return ensure_shipped(tx, "assistant", document); });
    }
    auto version(std::string_view name, std::int64_t number) {
        return in_transaction([&](auto& tx) { return read_version(tx, name, number); });
    }
    std::vector<std::string> names(std::string_view after, int limit, bool archived) {
        std::vector<std::string> all;
        for (auto const& each :
             in_transaction([&](auto& tx) { return list_flows(tx, after, limit, archived); }))
            all.push_back(each.name);
        return all;
    }
    void archive(flow_row const& flow) {
        in_transaction([&](auto& tx) { return archive_flow(tx, flow.id), 0; });
    }
    bool remove(flow_row const& flow) {
        return in_transaction([&](auto& tx) { return delete_flow(tx, flow.id); });
    }

    static std::vector<std::string> names_of(std::vector<published_row> const& all) {
        std::vector<std::string> names;
        for (auto const& row : all) names.push_back(row.name);
        return names;
    }

    tests::test_database database;
};

TEST_F(flows, keep_a_draft_as_it_was_given) {
    auto const flow = create("greeter", R"({"z": 1.0,  "a": [2]})");

    EXPECT_EQ(draft(flow), R"({"z": 1.0,  "a": [2]})");
    EXPECT_EQ(flow.revision, 1);
    EXPECT_EQ(flow.published, std::nullopt);
    EXPECT_TRUE(flow.changed);
    EXPECT_FALSE(in_transaction([](auto& tx) { return create_flow(tx, "greeter", "{}"); }));
}

TEST_F(flows, that_no_name_fits_are_refused) {
    for (auto const* name : {"", "-a", "A", "a b", "a/b", "ä"}) {
        EXPECT_FALSE(fits_flow_name(name)) << name;
        auto const created =
            run_blocking(database.options(), [&](transaction& tx) { create_flow(tx, name, "{}"); });
        EXPECT_EQ(created.error(), base::errc::poison) << name;
    }
    EXPECT_TRUE(fits_flow_name(std::string(63, 'a')));
    EXPECT_FALSE(fits_flow_name(std::string(64, 'a')));
}

TEST_F(flows, a_draft_is_saved_by_who_saw_the_newest) {
    auto const seen = create("greeter");

    EXPECT_THAT(save(seen, R"({"by": "one"})"), Optional(2));
    EXPECT_EQ(save(seen, R"({"by": "two"})"), std::nullopt);
    EXPECT_EQ(draft(seen), R"({"by": "one"})");
}

TEST_F(flows, saving_what_is_there_keeps_the_revision) {
    auto const seen = create("greeter", R"({"a": 1})");

    EXPECT_THAT(save(seen, R"({"a": 1})"), Optional(1));
    EXPECT_THAT(save(seen, R"({"a": 2})"), Optional(2));
}

TEST_F(flows, of_many_who_save_at_once_one_succeeds) {
    auto const seen = create("greeter");
    std::atomic<int> saved{0};
    std::vector<std::jthread> people;

    for (int n = 0; n < 6; ++n)
        people.emplace_back([&, n] {
            if (save(seen, R"({"by": )" + std::to_string(n) + "}")) ++saved;
        });
    for (auto& each : people) each.join();

    EXPECT_EQ(saved, 1);
    EXPECT_EQ(find("greeter").revision, 2);
}

TEST_F(flows, what_is_published_is_numbered_and_stays) {
    auto flow = create("greeter", R"({"n": 1})");

    auto const first = publish(flow, "hello");
    save(flow, R"({"n": 2})");
    auto const second = publish(find("greeter"));
    flow = find("greeter");

    EXPECT_EQ(first->version, 1);
    EXPECT_EQ(second->version, 2);
    EXPECT_THAT(version("greeter", 1), Optional(std::string(R"({"n": 1})")));
    EXPECT_THAT(flow.published, Optional(2));
    EXPECT_FALSE(flow.changed);
    auto const all = in_transaction([&](auto& tx) { return list_versions(tx, flow.id, 0, 9); });
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[1].note, "hello");
    EXPECT_EQ(all[1].published_by, "token:7");
    EXPECT_EQ(all[1].digest.size(), 64u);
    for (auto const* forbidden :
         {"update postrider.flow_version set document = '{}'",
          "update postrider.flow_version set note = 'other'",
          "delete from postrider.flow_version where version = 1"})
        EXPECT_ANY_THROW(database.execute(forbidden)) << forbidden;
}

TEST_F(flows, publishing_what_is_published_makes_no_version) {
    auto const flow = create("greeter");
    publish(flow);

    auto const again = publish(flow);

    EXPECT_EQ(again->version, 1);
    EXPECT_FALSE(again->fresh);
    EXPECT_EQ(database.value("select count(*) from postrider.flow_version"), "1");
}

// In either order, the publisher has published the draft that it saw.
TEST_F(flows, publishing_beside_saving_publishes_what_was_seen) {
    for (int n = 0; n < 10; ++n) {
        auto const seen = create("race" + std::to_string(n), R"({"seen": true})");
        std::optional<publication> published;
        std::jthread publisher([&] { published = publish(seen); });
        auto const saved = save(seen, R"({"seen": false})");
        publisher.join();

        EXPECT_TRUE(saved) << "publishing does not change the draft";
        if (!published) continue;
        EXPECT_THAT(version(seen.name, 1), Optional(std::string(R"({"seen": true})")));
    }
}

TEST_F(flows, of_many_who_publish_at_once_one_makes_a_version) {
    auto const seen = create("greeter");
    std::atomic<int> fresh{0};
    std::vector<std::jthread> people;

    for (int n = 0; n < 6; ++n) people.emplace_back([&] { fresh += publish(seen)->fresh; });
    for (auto& each : people) each.join();

    EXPECT_EQ(fresh, 1);
}

TEST_F(flows, are_listed_by_name_and_page) {
    for (auto const* name : {"b", "c", "a", "d"}) create(name);
    archive(find("c"));

    EXPECT_THAT(names("", 2, false), ElementsAre("a", "b"));
    EXPECT_THAT(names("b", 2, false), ElementsAre("d"));
    EXPECT_THAT(names("b", 2, true), ElementsAre("c", "d"));
}

TEST_F(flows, that_are_archived_start_nothing_and_keep_their_versions) {
    auto const flow = create("greeter");
    publish(flow);
    auto const published = [&] {
        return in_transaction([](auto& tx) { return list_published(tx); }).size();
    };

    archive(flow);
    EXPECT_EQ(published(), 0u);
    EXPECT_TRUE(version("greeter", 1));
    EXPECT_FALSE(version("greeter", 3'000'000'000)) << "beyond what the database keeps";
    in_transaction([&](auto& tx) { return unarchive_flow(tx, flow.id), 0; });
    EXPECT_EQ(published(), 1u);
}

// A transaction of anybody in the cluster that has not ended lets a look tell more than is new.
TEST_F(flows, that_changed_are_told_since_a_look) {
    auto const look = [&](std::optional<std::int64_t> since) {
        return in_transaction([&](auto& tx) { return list_changes(tx, since); });
    };
    publish(create("kept"));
    publish(create("archived"));
    auto const draft = create("draft");
    auto const first = look(std::nullopt);
    EXPECT_TRUE(first.complete);
    EXPECT_THAT(names_of(first.published), UnorderedElementsAre("archived", "kept"));

    save(draft, R"({"a": 1})");
    auto const second = look(first.moment);
    EXPECT_FALSE(second.complete);
    EXPECT_THAT(names_of(second.published), Not(Contains("draft"))) << "a draft starts nothing";
    archive(find("archived"));
    publish(find("draft"));
    auto const third = look(second.moment);
    EXPECT_THAT(names_of(third.published), Contains("draft"));
    EXPECT_THAT(third.gone, Contains("archived"));
    remove(find("archived"));
    EXPECT_THAT(look(third.moment).gone, Contains("archived")) << "nothing is left of its row";
    EXPECT_TRUE(look(std::numeric_limits<std::int64_t>::max()).complete) << "another cluster";
}

TEST_F(flows, that_have_not_changed_for_long_are_not_told) {
    publish(create("old"));
    publish(create("restored"));
    database.execute("alter table postrider.flow disable trigger flow_changes");
    database.execute("update postrider.flow set changed_in = case name when 'old' then '3' else "
                     "'999999999' end::xid8");
    auto const changes = in_transaction([](auto& tx) { return list_changes(tx, std::int64_t{4}); });
    EXPECT_THAT(changes.published, IsEmpty());
    EXPECT_THAT(
        names_of(in_transaction([](auto& tx) { return list_changes(tx, std::nullopt); }).published),
        UnorderedElementsAre("old", "restored")
    );
}

// Whoever looks meanwhile cannot see it, and is told by the next look.
TEST_F(flows, that_change_while_somebody_looks_are_told_by_the_next_look) {
    auto const flow = create("greeter");
    flow_changes during;
    in_transaction([&](auto& tx) {
        publish_draft(tx, flow.id, flow.revision, "cli", "");
        publish(create("beside"));
        during = in_transaction([](auto& other) { return list_changes(other, std::nullopt); });
        return 0;
    });
    EXPECT_THAT(names_of(during.published), ElementsAre("beside"));

    auto const after = in_transaction([&](auto& tx) { return list_changes(tx, during.moment); });
    EXPECT_THAT(names_of(after.published), Contains("greeter"));
}

TEST_F(flows, are_deleted_only_when_no_job_can_need_them) {
    auto const draft_only = create("draft");
    auto const running = create("running");
    publish(running);
    database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, input) "
        "values (1, 1, 1, 0, 'available', 'flow', '{\"flow\": \"running\", \"version\": 1}')"
    );

    EXPECT_TRUE(remove(draft_only));
    EXPECT_FALSE(remove(running)) << "it may start at any time";
    archive(running);
    EXPECT_FALSE(remove(running)) << "a job of it is kept";
    database.execute("delete from postrider.job");
    EXPECT_TRUE(remove(running));
    EXPECT_EQ(database.value("select count(*) from postrider.flow_version"), "0");
}

TEST_F(flows, are_not_deleted_while_a_job_may_be_inside_them) {
    auto const called = create("called");
    publish(called);
    archive(called);
    database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, input) "
        "values (1, 1, 1, 0, 'available', 'flow', '{\"flow\": \"outer\", \"version\": 4}');"
        "insert into postrider.step "
        "(job_id, seq, started_at, ended_at, node_id, key, outcome, result) "
        "values (1, 1, postrider.now(), postrider.now(), 1, 'ask/1/version', 'done', '1')"
    );

    EXPECT_FALSE(remove(called));
    database.execute("update postrider.job set state = 'completed', finished_at = postrider.now()");
    EXPECT_TRUE(remove(called));
}

TEST_F(flows, are_deleted_beside_a_job_that_called_a_version_they_do_not_have) {
    auto const other = create("other");
    publish(other);
    archive(other);
    database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, input) "
        "values (1, 1, 1, 0, 'available', 'flow', '{\"flow\": \"outer\", \"version\": 4}');"
        "insert into postrider.step "
        "(job_id, seq, started_at, ended_at, node_id, key, outcome, result) "
        "values (1, 1, postrider.now(), postrider.now(), 1, 'ask/1/version', 'done', '2')"
    );

    EXPECT_TRUE(remove(other));
}

TEST_F(flows, that_take_the_name_of_a_deleted_one_go_on_counting_versions) {
    for (auto const* document : {R"({"v": 1})", R"({"v": 2})"}) {
        create("again", document);
        publish(find("again"));
        archive(find("again"));
        ASSERT_TRUE(remove(find("again")));
    }
    EXPECT_EQ(version("again", 1), std::nullopt);

    publish(create("again", R"({"v": 3})"));

    EXPECT_THAT(find("again").published, Optional(3));
    EXPECT_THAT(version("again", 3), Optional(std::string(R"({"v": 3})")));
    EXPECT_EQ(version("again", 1), std::nullopt);

    ship(R"({"v": 1})");
    archive(find("assistant"));
    ASSERT_TRUE(remove(find("assistant")));
    EXPECT_EQ(ship(R"({"v": 1})"), shipped_outcome::installed);
    EXPECT_THAT(find("assistant").published, Optional(2));
}

TEST_F(flows, that_are_shipped_follow_the_product_until_people_publish) {
    EXPECT_EQ(ship(R"({"v": 1})"), shipped_outcome::installed);
    EXPECT_EQ(ship(R"({"v": 1})"), shipped_outcome::unchanged);
    EXPECT_EQ(ship(R"({"v": 2})"), shipped_outcome::upgraded);
    EXPECT_EQ(ship(R"({"v": 1})"), shipped_outcome::unchanged) << "an older node beside a newer";
    EXPECT_EQ(draft(find("assistant")), R"({"v": 2})");

    save(find("assistant"), R"({"mine": 1})");
    EXPECT_EQ(ship(R"({"v": 3})"), shipped_outcome::upgraded);
    EXPECT_EQ(draft(find("assistant")), R"({"mine": 1})") << "edited, not published";
    EXPECT_THAT(version("assistant", 3), Optional(std::string(R"({"v": 3})")));

    publish(find("assistant"));
    EXPECT_EQ(ship(R"({"v": 4})"), shipped_outcome::left_to_own);
    EXPECT_THAT(find("assistant").published, Optional(4));
}

TEST_F(flows, that_are_shipped_are_installed_once_by_many_nodes) {
    std::atomic<int> installed{0};
    std::vector<std::jthread> nodes;

    for (int n = 0; n < 6; ++n)
        nodes.emplace_back([&] { installed += ship(R"({"v": 1})") == shipped_outcome::installed; });
    for (auto& each : nodes) each.join();

    EXPECT_EQ(installed, 1);
    EXPECT_EQ(database.value("select count(*) from postrider.flow_version"), "1");
}

} // namespace
} // namespace postrider::storage::flows_test
