// The archive of a chat, as it is read, and the marks of what was deleted.
#include "storage/query.hpp"
#include "storage/stores/group_archive.hpp"
#include "storage/stores/message_edits.hpp"
#include "storage/stores/said_messages.hpp"
#include "tests/support/held_lock.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::group_archive_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class group_archive : public testing::Test {
protected:
    group_archive() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
        // Two topics of the group, another group, and a lane of a flow.
        database_.execute("insert into postrider.lane (lane_key, bot_id, chat_id) values "
                          "('1:-100:0', 1, -100), ('1:-100:5', 1, -100), ('1:-200:0', 1, -200), "
                          "('flow:guard', 1, null)");
    }
    ~group_archive() override { batches_->close(); }

    // A message of that number, said so many seconds after 1970.
    void add(
        std::string const& lane,
        int number,
        int second,
        std::string const& text,
        std::string const& more = "-100, 7, 'user', null"
    ) {
        database_.execute(
            "insert into postrider.message (lane_id, job_id, conversation_id, position, id, "
            "content, "
            "telegram_message_id, sent_at, chat_id, sender_id, role, number_elsewhere, "
            "sender_name) "
            "select lane_id, nextval('postrider.number'), 1, 0, 'x', '" +
            text + "', " + std::to_string(number) + ", to_timestamp(" + std::to_string(second) +
            "), " + more + ", 'Alex' from postrider.lane where lane_key = '" + lane + "'"
        );
    }
    lane_id lane(std::string const& key) {
        return lane_id{std::stoll(
            database_.value("select lane_id from postrider.lane where lane_key = '" + key + "'")
        )};
    }
    std::vector<std::string> texts(
        int limit = 50,
        std::optional<base::sys_time> from_time = {},
        std::optional<base::sys_time> before_time = {}
    ) {
        archive_page page{.bot = bot_id{1}, .chat = chat_id{-100}, .lane = lane("flow:guard")};
        page.from_time = from_time;
        page.before_time = before_time;
        page.limit = limit;
        std::vector<std::string> texts;
        for (auto const& message : io_.run(read_archive(*batches_, page, 5s)).value())
            texts.push_back(message.text);
        return texts;
    }
    void remove(std::vector<telegram_message_id> const& messages, bot_id bot = bot_id{1}) {
        std::vector<write> writes{mark_removed(bot, chat_id{-100}, messages)};
        ASSERT_TRUE(io_.run(query_apart(*batches_, std::move(writes), 5s)));
    }

    // Each waits for quiet, but for one whose wait is over.
    void let_lanes_wait() {
        database_.execute(
            "update postrider.lane set mailbox = 'coalesce', debounce_ms = 60000; "
            "update postrider.lane_run r set arrivals = 1, head = 1, mailbox = 'coalesce', "
            "ready_at = postrider.now() + case l.lane_key when '1:-100:5' then interval '-1 s' "
            "else interval '5 s' end, quiet_until = postrider.now() + interval '30 s' "
            "from postrider.lane l where l.lane_id = r.lane_id"
        );
    }
    std::string lanes_that_wait_longer() {
        return database_.value(
            "select coalesce(string_agg(l.lane_key, ' ' order by l.lane_key), '') from "
            "postrider.lane_run r join postrider.lane l using (lane_id) "
            "where r.ready_at = r.quiet_until"
        );
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

// covers: S4.09
TEST_F(group_archive, has_the_messages_of_all_topics_and_of_the_readers_lane) {
    add("1:-100:0", 1, 10, "one");
    add("1:-100:5", 2, 20, "two");
    add("flow:guard", 3, 30, "three");
    add("flow:guard", 3, 30, "of another group", "-200, 7, 'user', null");
    add("1:-200:0", 4, 40, "elsewhere", "-200, 7, 'user', null");
    add("1:-100:0", 5, 50, "hm good point", "-100, null, 'assistant', null");

    EXPECT_THAT(texts(), ElementsAre("one", "two", "three", "hm good point"));
    EXPECT_THAT(texts(2), ElementsAre("three", "hm good point")) << "the newest";
    EXPECT_THAT(texts(50, base::sys_time{20s}, base::sys_time{50s}), ElementsAre("two", "three"));
    EXPECT_THAT(texts(1, {}, base::sys_time{30s}), ElementsAre("two"));
}

// An edit is judged with what was said before its message, not with what came since.
TEST_F(group_archive, ends_before_a_message) {
    add("1:-100:0", 1, 10, "one");
    add("1:-100:0", 2, 10, "two, in the same second");
    add("1:-100:0", 3, 10, "three");
    add("1:-100:0", 4, 40, "four");
    archive_page page{.bot = bot_id{1}, .chat = chat_id{-100}, .lane = lane("1:-100:0")};
    page.before_message = telegram_message_id{3};
    page.limit = 1;

    auto const messages = io_.run(read_archive(*batches_, page, 5s)).value();

    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].text, "two, in the same second");
}

TEST_F(group_archive, says_what_is_known_of_each) {
    add("1:-100:0", 1, 10, "one");
    database_.execute("update postrider.message set edit_order = '{5,1}', reply_to = 9, "
                      "author = '{\"username\": \"alex\"}'");
    archive_page const page{.bot = bot_id{1}, .chat = chat_id{-100}, .lane = lane("1:-100:0")};

    auto const messages = io_.run(read_archive(*batches_, page, 5s)).value();

    ASSERT_EQ(messages.size(), 1u);
    auto const& message = messages[0];
    EXPECT_EQ(message.message, telegram_message_id{1});
    EXPECT_EQ(message.user, user_id{7});
    EXPECT_EQ(message.name, "Alex");
    EXPECT_EQ(message.reply_to, telegram_message_id{9});
    EXPECT_EQ(message.at, base::sys_time{10s});
    EXPECT_TRUE(message.is_edited);
    EXPECT_FALSE(message.is_removed);
    EXPECT_FALSE(message.is_own);
    EXPECT_EQ(message.author.at("username"), "alex");
}

// covers: S4.07
TEST_F(group_archive, keeps_what_was_deleted_and_hides_its_words) {
    add("1:-100:0", 1, 10, "spam");
    add("flow:guard", 2, 20, "more spam", "-100, 7, 'user', 2");
    add("1:-100:0", 3, 30, "fine");
    add("1:-100:0", 4, 40, "own", "-100, null, 'assistant', null");

    remove({telegram_message_id{1}, telegram_message_id{2}, telegram_message_id{4}});
    remove({telegram_message_id{1}, telegram_message_id{99}});

    EXPECT_THAT(texts(), ElementsAre("", "", "fine", ""));
    EXPECT_EQ(
        database_.value("select string_agg(content, ', ' order by job_id) from postrider.message "
                        "where removed_at is not null"),
        "spam, more spam, own"
    );
}

// A dry run leaves spam in the group; models do not read it all the same.
TEST_F(group_archive, hides_the_words_of_spam) {
    add("1:-100:0", 1, 10, "earn money");
    add("1:-100:0", 2, 20, "fine");
    database_.execute(
        "insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, "
        "points, threshold, checks, content) values (-100, 1, 1, 7, true, 130, 100, '[]', 'x')"
    );
    EXPECT_THAT(texts(), ElementsAre("", "fine"));

    database_.execute(
        "insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, action, content, "
        "undone_at, undone_by) values (-100, 1, 7, 1, 'dry_run', 'x', postrider.now(), 'user:1')"
    );
    EXPECT_THAT(texts(), ElementsAre("earn money", "fine")) << "it was no spam";
}

// covers: S4.07
TEST_F(group_archive, each_deletion_lets_the_chat_wait_for_quiet_again) {
    let_lanes_wait();

    remove({telegram_message_id{99}});

    EXPECT_EQ(lanes_that_wait_longer(), "1:-100:0")
        << "no longer than any message waits, not where the wait is over, and in no other chat";
}

// covers: S4.07
TEST_F(group_archive, each_edit_lets_the_chat_wait_for_quiet_again) {
    let_lanes_wait();

    for (auto const* key : {"1:-100:0", "1:-100:5"}) {
        std::vector<write> writes{
            lock_edited_lanes(key, chat_id{-100}, telegram_message_id{99}),
            edit_message(key, bot_id{1}, chat_id{-100}, telegram_message_id{99}, "changed")};
        EXPECT_TRUE(io_.run(query_apart(*batches_, std::move(writes), 5s)));
    }

    EXPECT_EQ(lanes_that_wait_longer(), "1:-100:0") << "also of a message that is not known";
}

// covers: S4.07
TEST_F(group_archive, a_deletion_waits_for_no_lane_that_somebody_works_on) {
    let_lanes_wait();
    add("1:-100:0", 1, 10, "spam", "-100, 7, 'user', 1");
    tests::held_lock const arriving(
        database_.url(),
        "select from postrider.lane_run r join postrider.lane l using (lane_id) "
        "where l.lane_key = '1:-100:0' for update of r"
    );

    remove({telegram_message_id{1}});

    EXPECT_EQ(
        database_.value("select count(*) from postrider.message where removed_at is not null"), "1"
    );
    EXPECT_EQ(lanes_that_wait_longer(), "");
}

TEST_F(group_archive, another_bots_messages_stay) {
    add("1:-100:0", 1, 10, "one");
    add("flow:guard", 2, 20, "two", "-100, 7, 'user', 2");

    remove({telegram_message_id{1}, telegram_message_id{2}}, bot_id{2});

    EXPECT_THAT(texts(), ElementsAre("one", "two"));
}

TEST_F(group_archive, finds_a_watched_message_however_many_stand_behind_it) {
    add("1:-100:0", 1, 10, "spam", "-100, 7, 'user', 1");
    database_.execute("insert into postrider.message (lane_id, job_id, conversation_id, position, "
                      "role, id, content) "
                      "select lane_id, job_id + n, 1, 0, 'user', 'y', 'later' from "
                      "postrider.message, generate_series(1, 600) n");

    remove({telegram_message_id{1}});

    EXPECT_EQ(
        database_.value("select content from postrider.message where removed_at is not null"),
        "spam"
    );
}

// Spam in a busy group: what the index has is not looked for among the newest messages.
TEST_F(group_archive, reads_little_to_mark_what_people_wrote) {
    add("1:-100:0", 1, 10, "spam", "-100, 7, 'user', 1");
    database_.execute("insert into postrider.message (lane_id, job_id, conversation_id, position, "
                      "role, id, content) "
                      "select lane_id, job_id + n, 1, 0, 'user', 'y', 'later' from "
                      "postrider.message, generate_series(1, 5000) n");
    database_.execute("vacuum analyze postrider.message");
    auto const marking = mark_removed(bot_id{1}, chat_id{-100}, {telegram_message_id{1}});
    std::int64_t read = 0;
    auto const done = run_blocking(database_.options(), [&](transaction& tx) {
        tx.query(*marking.statement, {"[" + marking.row + "]"});
        static constexpr statement scans{
            "test.scans",
            "select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) from "
            "pg_stat_xact_user_tables where schemaname = 'postrider' and relname = 'message'"};
        read = tx.query(scans).front().int64(0);
    });

    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_LE(read, 20);
    EXPECT_EQ(
        database_.value("select content from postrider.message where removed_at is not null"),
        "spam"
    );
}

TEST_F(group_archive, knows_the_parts_of_an_album) {
    database_.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, input) "
        "select n, lane_id, 1, n, 'flow', 'available', case when n = 4 then '{}'::jsonb else "
        "'{\"seen\": {\"album\": \"13\"}}' end from postrider.lane, generate_series(1, 5) n where "
        "lane_key = '1:-100:0'; "
        "insert into postrider.message (lane_id, job_id, conversation_id, position, id, content, "
        "chat_id, role, telegram_message_id, number_elsewhere, removed_at) select lane_id, n, 1, "
        "0, 'x', 'x', -100, 'user', n, n, case when n = 5 then postrider.now() end from "
        "postrider.lane, generate_series(1, 5) n where lane_key = '1:-100:0'"
    );
    auto const parts = [&](bot_id bot) {
        return io_
            .run(read_album_parts(
                *batches_, bot, chat_id{-100}, telegram_message_id{2}, std::string("13"), 5s
            ))
            .value();
    };

    EXPECT_THAT(
        parts(bot_id{1}),
        ElementsAre(telegram_message_id{1}, telegram_message_id{2}, telegram_message_id{3})
    ) << "the fourth is of no album, the fifth is deleted";
    EXPECT_THAT(parts(bot_id{2}), IsEmpty());
}

// What a person's word is about: an album goes as a whole, and nobody moderates the group's own voices.
TEST_F(group_archive, knows_of_a_message_its_album_and_whether_the_group_itself_says_it) {
    database_.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, input) "
        "select n, lane_id, 1, n, 'flow', 'available', case n when 1 then '{\"seen\": {\"album\": "
        "\"13\"}}'::jsonb when 2 then '{\"seen\": {\"sender\": {\"kind\": "
        "\"linked_channel\"}}}' else '{}' end from postrider.lane, generate_series(1, 3) n where "
        "lane_key = '1:-100:0'; "
        "insert into postrider.message (lane_id, job_id, conversation_id, position, id, content, "
        "chat_id, role, telegram_message_id, number_elsewhere, sender_id, sender_chat_id) select "
        "lane_id, n, 1, 0, 'x', 'x', -100, 'user', n, n, 7, case n when 2 then -300 when 3 then "
        "-100 when 4 then -400 end from postrider.lane, generate_series(1, 4) n where lane_key = "
        "'1:-100:0'"
    );
    auto const spoken = [&](int number) {
        auto look =
            find_said_message(*batches_, bot_id{1}, chat_id{-100}, telegram_message_id{number}, 5s);
        return io_.run(std::move(look)).value().value();
    };
    database_.execute("update postrider.job set input = input || '{\"wordless\": true}' where "
                      "job_id = 2");

    EXPECT_EQ(spoken(1).album, "13");
    EXPECT_FALSE(spoken(1).is_of_group);
    EXPECT_TRUE(spoken(2).is_of_group) << "a post of the linked channel";
    EXPECT_TRUE(spoken(3).is_of_group) << "an anonymous administrator";
    EXPECT_FALSE(spoken(4).is_of_group) << "another channel, whose job is gone";
    EXPECT_EQ(spoken(4).album, "");
    EXPECT_EQ(spoken(1).text, "x");
    EXPECT_EQ(spoken(2).text, "") << "its row has a word for its media";
}

TEST_F(group_archive, knows_authors_by_what_they_wrote_last) {
    add("1:-100:0", 1, 10, "one");
    database_.execute("update postrider.message set author = '{\"username\": \"old\"}'");
    add("1:-100:5", 2, 20, "two");
    database_.execute("update postrider.message set author = '{\"username\": \"new\"}' "
                      "where telegram_message_id = 2");
    auto const author_of = [&](user_id user) {
        auto const own = lane("1:-100:0");
        return io_.run(find_author(*batches_, bot_id{1}, chat_id{-100}, own, user, 5s)).value();
    };

    ASSERT_TRUE(author_of(user_id{7}));
    EXPECT_EQ(author_of(user_id{7})->author.at("username"), "new");
    EXPECT_EQ(author_of(user_id{7})->text, "");
    EXPECT_FALSE(author_of(user_id{8}));
}

} // namespace
} // namespace postrider::storage::group_archive_test
