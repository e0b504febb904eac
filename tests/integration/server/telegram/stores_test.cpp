// The rows behind bots, chats and strangers, in a real database.
#include "storage/notices.hpp"
#include "storage/query.hpp"
#include "storage/stores/bots.hpp"
#include "storage/stores/chats.hpp"
#include "storage/stores/poll_leases.hpp"
#include "storage/stores/strangers.hpp"
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::storage::stores_test {
namespace {

using namespace std::chrono_literals;

struct fixture {
    tests::test_database database;
    tests::loop loop;
    std::unique_ptr<storage::database> db = open_database(loop.executor(), database.options());
    ~fixture() { db->close(); }

    bot_row ensure(std::string_view name, std::string secret) {
        bot_row bot;
        run_blocking(database.options(), [&](transaction& tx) {
            bot = ensure_bot(tx, name, base::secret(secret));
        }).value();
        return bot;
    }
};

base::awaitable<void> until(std::function<bool()> reached) {
    while (!reached()) co_await base::sleep_for(2ms);
}

TEST(bots, the_first_secret_is_kept) {
    fixture f;
    auto const first = f.ensure("main", "one");
    auto const again = f.ensure("main", "two");
    auto const other = f.ensure("other", "three");

    EXPECT_EQ(again.id, first.id);
    EXPECT_TRUE(again.webhook_secret.matches("one"));
    EXPECT_NE(other.id, first.id);
}

TEST(bots, another_token_forgets_the_updates_of_the_bot_before) {
    fixture f;
    auto const bot = f.ensure("main", "one");
    ASSERT_TRUE(f.loop.run(store_identity(*f.db, bot.id, user_id{5}, "fern_bot", 5s)));
    f.database.execute(
        "insert into postrider.inbox (bot_id, update_id, disposition) values (" +
        base::to_string(bot.id) + ", 1, 'job')"
    );

    ASSERT_TRUE(f.loop.run(store_identity(*f.db, bot.id, user_id{5}, "fern2_bot", 5s)));
    EXPECT_EQ(f.database.value("select count(*) from postrider.inbox"), "1");

    ASSERT_TRUE(f.loop.run(store_identity(*f.db, bot.id, user_id{6}, "moss_bot", 5s)));
    EXPECT_EQ(f.database.value("select count(*) from postrider.inbox"), "0");
    EXPECT_EQ(f.ensure("main", "").telegram_id, user_id{6});
}

TEST(bots, another_token_forgets_the_commands_of_the_bot_before) {
    fixture f;
    auto const bot = f.ensure("main", "one").id;
    auto const offered = [&] { return f.loop.run(find_offered_commands(*f.db, bot, 5s)).value(); };
    ASSERT_TRUE(f.loop.run(store_identity(*f.db, bot, user_id{5}, "fern_bot", 5s)));
    EXPECT_EQ(offered(), "");

    ASSERT_TRUE(f.loop.run(store_offered_commands(*f.db, bot, "d1", 5s)));
    ASSERT_TRUE(f.loop.run(store_identity(*f.db, bot, user_id{5}, "fern2_bot", 5s)));
    EXPECT_EQ(offered(), "d1");

    ASSERT_TRUE(f.loop.run(store_identity(*f.db, bot, user_id{6}, "moss_bot", 5s)));
    EXPECT_EQ(offered(), "");
}

TEST(bots, stopped_and_running_again) {
    fixture f;
    auto const bot = f.ensure("main", "one");
    ASSERT_TRUE(f.loop.run(store_stopped(*f.db, bot.id, "401", 5s)));
    EXPECT_EQ(f.ensure("main", "").stopped_reason, "401");
    ASSERT_TRUE(f.loop.run(store_running(*f.db, bot.id, 5s)));
    EXPECT_EQ(f.ensure("main", "").stopped_reason, std::nullopt);
}

TEST(chats, what_the_next_process_must_know) {
    fixture f;
    ASSERT_TRUE(f.loop.run(store_blocked(*f.db, bot_id{1}, chat_id{10}, 5s)));
    ASSERT_TRUE(f.loop.run(store_send_delay(*f.db, bot_id{1}, chat_id{11}, 60s, 5s)));
    ASSERT_TRUE(f.loop.run(store_send_delay(*f.db, bot_id{1}, chat_id{12}, 0ms, 5s)));
    ASSERT_TRUE(f.loop.run(store_migration(*f.db, bot_id{1}, chat_id{-5}, chat_id{-1005}, 5s)));

    auto notices = f.loop.run(read_chat_notices(*f.db, 5s)).value();

    std::ranges::sort(notices, {}, &chat_notice::chat);
    ASSERT_EQ(notices.size(), 2u);
    EXPECT_EQ(notices[0].migrated_to, chat_id{-1005});
    EXPECT_GT(notices[1].send_delay, 50s);
    EXPECT_EQ(
        f.database.value("select chat_id from postrider.chat where blocked_at is not null"), "10"
    );
}

// covers: X.02
TEST(chats, a_delay_reaches_other_processes_at_once) {
    fixture f;
    std::vector<std::string> heard;
    auto const other = storage::listen(
        f.loop.executor(),
        f.database.options(),
        {},
        [&](std::string_view payload) { heard.emplace_back(payload); },
        [] {}
    );
    f.loop.run(until([&] { return other->counts().listening; }));

    ASSERT_TRUE(f.loop.run(store_send_delay(*f.db, bot_id{1}, chat_id{11}, 60s, 5s)));
    f.loop.run(until([&] { return !heard.empty(); }));
    ASSERT_TRUE(f.loop.run(store_send_delay(*f.db, bot_id{1}, chat_id{11}, 1s, 5s)));

    EXPECT_EQ(heard.front(), "chats");
    auto const notices = f.loop.run(read_chat_notices(*f.db, 5s)).value();
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_GT(notices[0].send_delay, 50s) << "a delay is never shortened";
    other->close();
}

TEST(chats, a_migration_leaves_a_lane_whose_new_key_is_taken_and_those_of_flows) {
    fixture f;
    f.database.execute(
        "insert into postrider.lane (bot_id, chat_id, lane_key) values "
        "(1, -5, '1:-5:0'), (1, -5, '1:-5:7'), (1, -1005, '1:-1005:0'), (2, -5, '2:-5:0'), "
        "(1, -5, 'flow:x:y')"
    );
    ASSERT_TRUE(f.loop.run(store_migration(*f.db, bot_id{1}, chat_id{-5}, chat_id{-1005}, 5s)));
    EXPECT_EQ(
        f.database.value("select string_agg(lane_key, ' ' order by lane_id) from postrider.lane"),
        "1:-5:0 1:-1005:7 1:-1005:0 2:-5:0 flow:x:y"
    );
}

// covers: E.06 E.17
TEST(poll_leases, are_one_nodes_until_it_gives_them_back_or_is_silent) {
    fixture f;
    poll_holder const ours{bot_id{1}, node_id{11}}, theirs{bot_id{1}, node_id{22}};
    f.database.execute("insert into postrider.node (node_id, pid, pid_started, boot_id, pid_space, "
                       "host, version, slots) select n, 1, 1, '', '', '', '', 1 "
                       "from unnest(array[11, 22]) n");
    auto const beaten = [&](std::string ago) {
        f.database.execute(
            "update postrider.node set beat_at = postrider.now() - interval '" + ago +
            "' where node_id = 22"
        );
    };
    auto const take = [&](poll_holder holder) {
        return f.loop.run(lease_poll(*f.db, holder, 5s)).value();
    };

    EXPECT_TRUE(take(ours));
    EXPECT_TRUE(take(ours)) << "again";
    EXPECT_FALSE(take(theirs));
    EXPECT_TRUE(take({bot_id{2}, node_id{22}})) << "another bot's";
    ASSERT_TRUE(f.loop.run(release_poll(*f.db, theirs, 5s)));
    EXPECT_FALSE(take(theirs)) << "who does not have it cannot release it";

    ASSERT_TRUE(f.loop.run(release_poll(*f.db, ours, 5s)));
    EXPECT_TRUE(take(theirs));
    beaten("6 s");
    EXPECT_FALSE(take(ours));
    beaten("8 s");
    EXPECT_TRUE(take(ours)) << "the other one is silent";
    EXPECT_FALSE(take(theirs));
    f.database.execute("delete from postrider.node where node_id = 11");
    EXPECT_TRUE(take(theirs)) << "that one was rescued";
}

// A unit of the writes given.
// covers: E.04
TEST(strangers, the_table_is_bounded_per_bot) {
    fixture f;
    auto batches = make_batcher(f.loop.executor(), f.database.options(), {});
    f.database.execute("insert into postrider.stranger (bot_id, user_id, chat_id, last_seen_at) "
                       "select b, n, n, postrider.now() - n * interval '1 s' "
                       "from generate_series(1, 2) b, generate_series(1, 1000) n");

    auto counted = count_stranger({bot_id{1}, user_id{5000}, chat_id{5000}, "New"});
    ASSERT_TRUE(f.loop.run(query(*batches, std::move(counted), 5s)));

    EXPECT_EQ(f.database.value("select count(*) from postrider.stranger where bot_id = 1"), "1000");
    EXPECT_EQ(f.database.value("select count(*) from postrider.stranger where bot_id = 2"), "1000");
    EXPECT_EQ(
        f.database.value(
            "select count(*) from postrider.stranger where bot_id = 1 and user_id = 1000"
        ),
        "0"
    ) << "the one that was seen longest ago is gone";
    EXPECT_EQ(f.database.value("select name from postrider.stranger where user_id = 5000"), "New");
    batches->close();
}

} // namespace
} // namespace postrider::storage::stores_test
