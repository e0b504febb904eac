// Updates of known chats that come together: one statement, and what it must not do.
#include "tests/integration/server/telegram/intake_world.hpp"
#include "tests/integration/storage/batcher_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::telegram::intake_one_statement_test {
namespace {

using testing::Each;
using testing::ElementsAre;

// Its lane is known to the process.
struct known_chat : intake_world {
    known_chat() { accept(body(1, alex, "the lane is known now")).value(); }

    // What becomes of each body when all of them wait for the same commit.
    std::vector<std::string> accept_together(std::vector<std::string> const& bodies) {
        auto busy = std::make_shared<tests::busy_unit>();
        std::vector<base::result<accepted>> outcomes(bodies.size(), accepted{});
        base::task_group group(loop.executor());
        group.spawn("busy", hold(busy));
        loop.run(until([&] { return busy->begun.load(); }));
        for (std::size_t n = 0; n < bodies.size(); ++n)
            group.spawn("accept", keep(bodies[n], outcomes[n]));
        loop.run(until([&] { return writes->counts().waiting == bodies.size(); }));
        busy->open();
        loop.run(group.join());
        std::vector<std::string> texts;
        for (auto const& each : outcomes) texts.push_back(text_of(each));
        return texts;
    }

    std::vector<std::string> bodies_of(std::initializer_list<int> updates) const {
        std::vector<std::string> bodies;
        for (int update : updates) bodies.push_back(body(update, alex, "hello"));
        return bodies;
    }

    // How many commands of their transactions wrote the rows of this update.
    std::string commands_of(int update) const {
        auto const condition = " = '" + std::to_string(update) + "'";
        return value(
            "select count(distinct c) from ("
            "select cmin::text from postrider.inbox where update_id" +
            condition +
            " union all select j.cmin::text from postrider.job j join postrider.message m "
            "using (job_id) where m.content" +
            condition + " union all select cmin::text from postrider.message where content" +
            condition + ") as rows_of_it(c)"
        );
    }

    // The jobs of before are over.
    void be_idle() const {
        database.execute("delete from postrider.job;"
                         "select postrider.idle_lanes(array(select lane_id from postrider.lane))");
    }

    std::string rows() const {
        return value("select (select count(*) from postrider.inbox) || ' ' || "
                     "(select count(*) from postrider.job) || ' ' || "
                     "(select count(*) from postrider.message)");
    }

private:
    static std::string text_of(base::result<accepted> const& outcome) {
        if (!outcome) return std::string(to_string(outcome.error().code));
        return std::string(outcome->disposition) + (outcome->is_new ? " new" : " seen");
    }

    base::awaitable<void> hold(std::shared_ptr<tests::busy_unit> unit) {
        (void)co_await executions->commit(std::move(unit), base::system_clock().steady() + 10s);
    }

    static base::awaitable<void> until(std::function<bool()> reached) {
        while (!reached()) co_await base::sleep_for(1ms);
    }
};

// covers: E.02
TEST(intake_of_known_chats, writes_an_update_its_job_and_its_message_by_one_command) {
    known_chat w;

    auto const outcomes = w.accept_together({w.body(2, alex, "2"), w.body(3, alex, "3")});

    EXPECT_THAT(outcomes, Each("job new"));
    EXPECT_EQ(w.commands_of(2), "1");
    EXPECT_EQ(w.commands_of(3), "1");
    EXPECT_EQ(
        w.value("select string_agg(j.arrival || ' ' || m.content, ', ' order by j.job_id) "
                "from postrider.job j join postrider.message m using (job_id)"),
        "1 the lane is known now, 2 2, 3 3"
    );
    EXPECT_EQ(w.value("select arrivals from postrider.busy_lane"), "3");
}

// covers: E.03
TEST(intake_of_known_chats, takes_an_update_once_that_came_several_times_together) {
    known_chat w;

    auto const outcomes = w.accept_together(w.bodies_of({2, 2, 3, 2}));

    EXPECT_THAT(outcomes, ElementsAre("job new", "job seen", "job new", "job seen"));
    EXPECT_EQ(w.rows(), "3 3 3");
}

// covers: E.03
TEST(intake_of_known_chats, starts_nothing_for_an_update_that_was_seen_before) {
    known_chat w;
    ASSERT_TRUE(w.accept(w.body(2, alex, "hello")));
    auto const before = w.writes->counts().commits;

    auto const outcomes = w.accept_together(w.bodies_of({3, 2, 4, 1}));

    EXPECT_THAT(outcomes, ElementsAre("job new", "job seen", "job new", "job seen"));
    EXPECT_EQ(w.rows(), "4 4 4");
    EXPECT_EQ(w.writes->counts().commits, before + 2) << "that of the unit they waited for, too";
}

TEST(intake_of_known_chats, rejects_a_poisonous_one_alone) {
    known_chat w;
    w.database.execute("alter table postrider.message add check (content <> 'poison')");

    auto const outcomes = w.accept_together(
        {w.body(2, alex, "fine"), w.body(3, alex, "poison"), w.body(4, alex, "fine")}
    );

    EXPECT_THAT(outcomes, ElementsAre("job new", "rejected new", "job new"));
    EXPECT_EQ(w.rows(), "4 3 3");
    EXPECT_EQ(
        w.value("select reason from postrider.inbox where disposition = 'rejected'"), "poison"
    );
    EXPECT_EQ(w.accept(w.body(5, alex, "poison"))->disposition, "rejected") << "also one by itself";
}

TEST(intake_of_known_chats, makes_a_lane_again_that_was_deleted) {
    known_chat w;
    w.database.execute("delete from postrider.lane; delete from postrider.lane_run");

    auto const outcomes = w.accept_together(w.bodies_of({2, 3}));

    EXPECT_THAT(outcomes, Each("job new"));
    EXPECT_EQ(
        w.value("select count(*) from postrider.job join postrider.lane using (lane_id)"), "2"
    );
    EXPECT_EQ(w.rows(), "3 3 3");
}

TEST(intake_of_known_chats, shares_a_commit_with_what_takes_stages) {
    known_chat w;
    w.fern.settings.allowlist.users.insert(user_id{12});
    auto const before = w.writes->counts().commits;

    auto const outcomes = w.accept_together(
        {w.body(2, alex, "hello"),
         w.body(3, user_id{12}, "a new chat"),
         w.body(4, stranger_id, "let me in"),
         w.body(2, alex, "hello")}
    );

    EXPECT_THAT(outcomes, ElementsAre("job new", "job new", "ignored new", "job seen"));
    EXPECT_EQ(w.rows(), "4 3 3");
    EXPECT_EQ(w.writes->counts().commits, before + 2) << "that of the unit they waited for, too";
}

TEST(intake_of_known_chats, unblocks_the_chat) {
    known_chat w;
    w.database.execute("insert into postrider.chat (bot_id, chat_id, blocked_at) values (1, 10, "
                       "now()), (1, 11, now())");
    ASSERT_TRUE(w.accept(w.body(2, alex, "I am back")));
    EXPECT_EQ(
        w.value("select string_agg(chat_id::text, ',') from postrider.chat where blocked_at is not "
                "null"),
        "11"
    );
}

// The first job of a lane runs here; those behind it wait for it.
TEST(intake_of_known_chats, leases_an_idle_lane_to_the_node_with_a_slot) {
    known_chat w;
    w.be_idle();
    w.slots.room = 2;

    EXPECT_THAT(w.accept_together(w.bodies_of({2, 3})), Each("job new"));

    ASSERT_EQ(w.slots.started.size(), 1u);
    EXPECT_EQ(
        w.value("select string_agg(arrival || ' ' || state || ' ' || run_no, ',' order by job_id) "
                "from postrider.job"),
        "1 running 1,2 available 0"
    );
    EXPECT_EQ(w.slots.room, 1);
    EXPECT_EQ(w.value("select node_id from postrider.busy_lane"), "77");
    EXPECT_EQ(
        w.value("select epoch < (select min(job_id) from postrider.job) from postrider.busy_lane"),
        "t"
    );
}

TEST(intake_of_known_chats, holds_what_comes_while_everything_or_its_bot_is_paused) {
    known_chat w;
    w.slots.room = 1;
    int update = 1;
    auto const wait_reason_beside = [&](std::string const& pause) {
        w.be_idle();
        w.database.execute("delete from postrider.pause; insert into postrider.pause " + pause);
        EXPECT_TRUE(w.accept(w.body(++update, alex, "hello")).value().is_new);
        return w.value("select wait_reason from postrider.busy_lane");
    };

    EXPECT_EQ(wait_reason_beside("(scope) values ('all')"), "paused");
    EXPECT_EQ(wait_reason_beside("(scope, bot_id) values ('bot:main', 1)"), "paused");
    EXPECT_TRUE(w.slots.started.empty());
    EXPECT_EQ(wait_reason_beside("(scope, bot_id) values ('bot:other', 2)"), "");
    EXPECT_EQ(w.slots.started.size(), 1u);
}

} // namespace
} // namespace postrider::telegram::intake_one_statement_test
