// What was done about spam in Postgres: a strike for each message, training and undoing in one commit, reports, erasing.
// covers: X.09 X.19
#include "agent/spam/store/catches.hpp"
#include "agent/spam/store/members.hpp"
#include "agent/spam/store/reports.hpp"
#include "agent/spam/store/rows.hpp"
#include "agent/spam/store/undo.hpp"
#include "storage/stores/audit.hpp"
#include "tests/integration/agent/spam/catches_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::agent::spam::catches_test {
namespace {

using namespace caught_spam;

class spam_catches : public catches_world {};

TEST_F(spam_catches, count_a_message_once) {
    EXPECT_EQ(record_of(caught(50)).strikes, 0);
    commit({catch_row(caught(50), true)});
    commit({catch_row(caught(50), true)});

    auto const record = record_of(caught(50));
    EXPECT_EQ(record.strikes, 1);
    EXPECT_TRUE(record.is_caught);
    EXPECT_FALSE(record.is_told);
    EXPECT_FALSE(record_of(caught(51)).is_caught);
    EXPECT_EQ(record_of(caught(51)).strikes, 1);
    commit({catch_row(caught(51), true), catch_row(caught(52), true), catch_row(caught(53), false)}
    );
    EXPECT_EQ(record_of(caught(54)).strikes, 3);
    EXPECT_FALSE(record_of(caught(54)).is_banned);
    commit({ban_row({group, eve, "filter"})});
    EXPECT_TRUE(record_of(caught(54)).is_banned);
    database_.execute("update postrider.spam_member set banned_at = now() - interval '11 minutes'");
    EXPECT_FALSE(record_of(caught(54)).is_banned) << "who came back is banned again";
}

TEST_F(spam_catches, know_the_parts_of_an_album) {
    commit({catch_row(caught(50, "13"), true)});

    EXPECT_TRUE(record_of(caught(51, "13")).is_of_album);
    EXPECT_FALSE(record_of(caught(50, "13")).is_of_album) << "it is the catch itself";
    EXPECT_FALSE(record_of(caught(51, "14")).is_of_album);
}

// Spam of the time before the filter acted, which is edited afterwards, or an administrator warns of it.
TEST_F(spam_catches, of_a_dry_run_are_caught_anew_by_what_acts) {
    auto told = caught(50, "13");
    told.action = catch_action::dry_run;
    commit({catch_row(told, false)});
    commit({told_row(told.key, chat_id{-200}, telegram_message_id{900})});
    EXPECT_TRUE(record_of(told, false).is_caught);
    EXPECT_TRUE(record_of(told, false).is_told);
    EXPECT_TRUE(record_of(caught(51, "13"), false).is_of_album);
    EXPECT_FALSE(record_of(told).is_caught);
    EXPECT_FALSE(record_of(told).is_told) << "the admin chat hears of the ban";
    EXPECT_FALSE(record_of(caught(51, "13")).is_of_album);

    commit({catch_row(caught(50, "13"), true), catch_row(told, false)});
    commit({catch_row(told, false), catch_row(caught(50, "13"), true)});

    EXPECT_EQ(value("select action from postrider.spam_catch"), "ban") << "so an undo lifts it";
    EXPECT_EQ(record_of(caught(50, "13")).strikes, 1);
    EXPECT_TRUE(record_of(caught(50, "13")).is_caught);
}

// Models read no part of it otherwise.
TEST_F(spam_catches, of_an_album_are_undone_as_one) {
    commit(
        {catch_row(caught(50, "13"), true),
         catch_row(caught(51, "13"), false),
         catch_row(caught(52, "14"), true),
         catch_row(caught(53), true)}
    );

    commit({undone_row(caught(51).key, "user:5")});

    EXPECT_EQ(
        value("select string_agg(message_id || ' ' || undone_by, ', ' order by message_id) from "
              "postrider.spam_catch where undone_at is not null"),
        "50 user:5, 51 user:5"
    );
    commit({undone_row(caught(53).key, "user:6")});
    EXPECT_EQ(value("select count(*) from postrider.spam_catch where undone_at is not null"), "3");
}

TEST_F(spam_catches, keep_the_newest_twenty_strikes) {
    for (int number = 1; number <= 25; ++number) commit({catch_row(caught(number), true)});

    EXPECT_EQ(value("select cardinality(strikes) from postrider.spam_member"), "20");
    database_.execute("update postrider.spam_member set strikes[1] = now() - interval '2 hours'");
    EXPECT_EQ(record_of(caught(99)).strikes, 19);
}

TEST_F(spam_catches, are_read_as_they_were_written) {
    commit({catch_row(caught(50), true)});
    commit({told_row(caught(50).key, chat_id{-200}, telegram_message_id{900})});

    auto const stored = io_.run(read_catch(*batches_, caught(50).key, 5s)).value();
    ASSERT_TRUE(stored);
    EXPECT_TRUE(stored->is_stored);
    EXPECT_EQ(stored->caught.action, catch_action::ban);
    EXPECT_EQ(stored->caught.name, "Eve");
    EXPECT_EQ(stored->caught.text, "earn money now");
    EXPECT_EQ(stored->caught.verdict.at("points"), 130);
    EXPECT_EQ(stored->admin_chat, chat_id{-200});
    EXPECT_EQ(stored->admin_message, telegram_message_id{900});
    EXPECT_TRUE(record_of(caught(50)).is_told);
    auto person = caught(51);
    person.verdict = nullptr;
    person.caught_by = "user:5";
    commit({catch_row(person, false)});
    EXPECT_EQ(value("select verdict is null from postrider.spam_catch where message_id = 51"), "t");
    EXPECT_FALSE(io_.run(read_catch(*batches_, caught(52).key, 5s)).value());
}

TEST_F(spam_catches, are_undone_in_one_commit) {
    commit({catch_row(caught(50), true), ban_row({group, eve, "filter"})});
    lesson const spam_lesson{
        .chat = group, .kind = lesson_kind::spam, .text = "earn money now", .trained_by = "user:5"};
    commit(train_rows(spam_lesson).value());
    EXPECT_EQ(value("select count(*) from postrider.spam_sample where withdrawn_at is null"), "1");

    commit(undo_rows(caught(50), "user:6"));

    EXPECT_EQ(
        value("select string_agg(kind || ':' || (withdrawn_at is null), ' ' order by sample_id) "
              "from postrider.spam_sample"),
        "spam:false ham:true"
    );
    EXPECT_EQ(
        value("select banned_at is null and approved_by = 'user:6' and strikes = '{}' "
              "from postrider.spam_member"),
        "t"
    );
    EXPECT_EQ(value("select undone_by from postrider.spam_catch"), "user:6");
    EXPECT_EQ(
        value("select spam || ' ' || ham from postrider.spam_training where chat_id = -100"), "0 1"
    );
    EXPECT_EQ(
        value("select string_agg(kind || ' ' || actor, ', ' order by number) from postrider.audit "
              "where lane_id = 0"),
        "spam_train user:5, spam_member user:6, spam_withdraw user:6, spam_train user:6"
    ) << "what the filter does alone is in the ledger of effects";
}

TEST_F(spam_catches, are_undone_in_a_transaction_too_and_found_by_their_verdicts) {
    commit({catch_row(caught(50), true)});
    run([](storage::transaction& tx) {
        auto const stored = find_undoable(tx, group, telegram_message_id{50});
        ASSERT_TRUE(stored);
        apply(tx, undo_rows(stored->caught, "cli:root"));
        EXPECT_FALSE(find_undoable(tx, group, telegram_message_id{51}));
    });

    EXPECT_EQ(value("select undone_by from postrider.spam_catch"), "cli:root");
    EXPECT_EQ(value("select approved_by from postrider.spam_member"), "cli:root");
    EXPECT_EQ(value("select kind from postrider.spam_sample"), "ham");
}

TEST_F(spam_catches, are_undone_also_where_the_text_has_no_words) {
    auto silent = caught(50);
    silent.text.clear();
    commit({catch_row(silent, true)});
    commit(undo_rows(silent, "user:6"));

    EXPECT_EQ(value("select count(*) from postrider.spam_sample"), "0");
    EXPECT_EQ(value("select undone_by from postrider.spam_catch"), "user:6");
}

TEST_F(spam_catches, of_a_person_raise_what_is_to_be_undone) {
    auto gentle = caught(50);
    gentle.action = catch_action::remove;
    commit({catch_row(gentle, true)});
    commit({undone_row(gentle.key, "user:6")});
    commit({banned_row(gentle.key)});

    EXPECT_EQ(value("select action || (undone_at is null) from postrider.spam_catch"), "bantrue");
}

TEST_F(spam_catches, are_trained_together_with_others_in_one_batch) {
    auto rows = train_rows({.chat = group, .text = "earn money", .trained_by = "user:5"}).value();
    auto const more =
        train_rows({.chat = chat_id{-200}, .text = "see a film", .trained_by = "user:6"}).value();
    rows.insert(rows.end(), more.begin(), more.end());
    std::ranges::move(
        withdraw_rows(group, lesson_kind::ham, "earn money", "user:5"), std::back_inserter(rows)
    );
    commit(std::move(rows));

    EXPECT_EQ(
        value("select string_agg(chat_id || ':' || spam, ' ' order by chat_id) "
              "from postrider.spam_training where spam > 0"),
        "-200:1 -100:1"
    );
    EXPECT_FALSE(train_rows({.chat = group, .text = " "}));
}

TEST_F(spam_catches, are_reported_by_each_member_once) {
    spam_report const report{group, telegram_message_id{50}, user_id{5}};
    auto const state = [&](user_id reporter) {
        return io_.run(read_report_state(*batches_, {group, report.message, reporter}, 5s)).value();
    };
    EXPECT_FALSE(state(user_id{5}).may_report);
    commit({approve_row({group, user_id{5}, "user:1"})});
    EXPECT_TRUE(state(user_id{5}).may_report);
    commit({report_row(report)});
    commit({report_row(report)});

    EXPECT_TRUE(state(user_id{5}).is_repeated);
    EXPECT_EQ(state(user_id{5}).others, 0);
    EXPECT_EQ(state(user_id{6}).others, 1);
    commit({ban_row({group, user_id{5}, "user:1"})});
    EXPECT_FALSE(state(user_id{5}).may_report);
}

// The group became a supergroup.
TEST_F(spam_catches, leave_what_was_learned_to_the_groups_new_number) {
    commit({ban_row({group, eve, "user:5"})});
    commit(train_rows({.chat = group, .text = "earn money", .trained_by = "user:5"}).value());
    database_.execute(
        "insert into postrider.bot (name) values ('fern'); "
        "insert into postrider.chat (bot_id, chat_id, migrated_to) values (1, -100, -900)"
    );

    EXPECT_EQ(
        value("select string_agg(chat_id || ':' || banned_by, ' ') from postrider.spam_member"),
        "-900:user:5"
    );
    EXPECT_EQ(
        value("select string_agg(distinct chat_id::text, ' ') from postrider.spam_sample"), "-900"
    );
    EXPECT_EQ(
        value("select string_agg(distinct chat_id::text, ' ') from postrider.spam_count"), "-900"
    );
    EXPECT_EQ(value("select spam from postrider.spam_training where chat_id = -900"), "1");
}

// What was caught under the old number is still there, and undone where people are now.
TEST_F(spam_catches, of_a_group_are_undone_when_it_is_a_supergroup) {
    commit({catch_row(caught(50), true), ban_row({group, eve, "filter"})});
    database_.execute(
        "insert into postrider.bot (name) values ('fern'); "
        "insert into postrider.chat (bot_id, chat_id, migrated_to) values (1, -100, -900)"
    );
    auto const done = storage::run_blocking(database_.options(), [](storage::transaction& tx) {
        auto const stored = find_undoable(tx, chat_id{-900}, telegram_message_id{50});
        ASSERT_TRUE(stored);
        EXPECT_EQ(stored->caught.key.chat, group) << "its number is of the old group";
        apply(tx, undo_rows(stored->caught, "user:5"));
    });
    ASSERT_TRUE(done) << to_string(done.error());

    EXPECT_EQ(
        value("select string_agg(chat_id || ' ' || approved_by, ', ') from postrider.spam_member"),
        "-900 user:5"
    );
    EXPECT_EQ(value("select undone_by from postrider.spam_catch"), "user:5");
    EXPECT_EQ(value("select chat_id from postrider.spam_sample where kind = 'ham'"), "-900");
}

// covers: X.19
TEST_F(spam_catches, of_an_erased_person_go_from_the_admin_chat_too) {
    commit({catch_row(caught(50), true)});
    commit({told_row(caught(50).key, chat_id{-200}, telegram_message_id{900})});
    database_.execute(
        "insert into postrider.lane (lane_key, bot_id, chat_id) values ('1:-200:0', 1, -200); "
        "insert into postrider.message (lane_id, job_id, conversation_id, position, chat_id, role, "
        "id, content, origin, telegram_message_id, delivery) select lane_id, n, 0, 2, -200, "
        "'assistant', 'm' || n, text, 'node', 899 + n, 'sent' from postrider.lane, (values "
        "(1, 'Spam from Eve: earn money now'), (2, 'From Eve, 7 in the group -100. Decided'), "
        "(3, 'Teach the filter that this is spam?' || chr(10) || 'earn money now'), "
        "(4, 'Spam from Bob, 8 in the group -100: earn money now')) as said(n, text) "
        "where lane_key = '1:-200:0'"
    );

    database_.execute("select postrider.erase_spam(7)");

    EXPECT_EQ(value("select string_agg(job_id::text, ' ') from postrider.message"), "4")
        << "what was said of others stays";
}

TEST_F(spam_catches, say_what_was_refused_until_their_author_is_banned) {
    commit({catch_row(caught(50), true), refused_row(caught(50).key, "refused: not enough rights")}
    );
    EXPECT_EQ(value("select refused from postrider.spam_catch"), "refused: not enough rights");

    commit({settled_refusals_row(chat_id{-200}, eve)});
    EXPECT_EQ(value("select refused is null from postrider.spam_catch"), "f") << "elsewhere";
    commit({settled_refusals_row(group, eve)});
    EXPECT_EQ(value("select refused is null from postrider.spam_catch"), "t");
}

TEST_F(spam_catches, mark_the_verdicts_of_their_message) {
    database_.execute(
        "insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, "
        "points, threshold, checks, content) values (-100, 50, 1, 7, false, 0, 100, '[]', 'hi'), "
        "(-100, 51, 1, 7, false, 0, 100, '[]', 'hi')"
    );
    auto person = caught(50);
    person.caught_by = "user:5";
    commit({catch_row(person, false)});

    EXPECT_EQ(
        value("select string_agg(message_id::text, ' ') from postrider.spam_verdict where is_caught"
        ),
        "50"
    );
}

TEST_F(spam_catches, are_forgotten_in_time_and_on_demand) {
    commit({catch_row(caught(50), true), report_row({group, telegram_message_id{9}, eve})});
    database_.execute("select postrider.erase_spam(7)");
    EXPECT_EQ(value("select count(*) from postrider.spam_catch"), "0");
    EXPECT_EQ(value("select count(*) from postrider.spam_report"), "0");
    commit({catch_row(caught(51), true), report_row({group, telegram_message_id{9}, eve})});
    database_.execute("update postrider.spam_catch set caught_at = now() - interval '31 days'; "
                      "update postrider.spam_report set reported_at = now() - interval '31 days'");

    EXPECT_EQ(value("select postrider.prune_spam()"), "2");
}

} // namespace
} // namespace postrider::agent::spam::catches_test
