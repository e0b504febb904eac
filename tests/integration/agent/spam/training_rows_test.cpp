// Training in Postgres: the counts are always those of the samples that are not withdrawn.
// covers: X.09
#include "agent/spam/store/members.hpp"
#include "agent/spam/store/samples.hpp"
#include "agent/spam/verdict.hpp"
#include "base/clock.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

namespace postrider::agent::spam::training_rows_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr chat_id group{-100};

constexpr storage::statement lock_members{
    "tests.lock_members", "select 1 from postrider.spam_member for update"};
constexpr storage::statement lock_trainings_at_once{
    "tests.lock_trainings", "select 1 from postrider.spam_training for update nowait"};

class spam_training : public testing::Test {
protected:
    void run(std::function<void(storage::transaction&)> const& work) {
        auto const done = storage::run_blocking(database_.options(), work);
        ASSERT_TRUE(done) << to_string(done.error());
    }

    base::result<std::int64_t> learn(lesson lesson) {
        base::result<std::int64_t> id = std::int64_t{0};
        lesson.trained_by = "user:1";
        run([&](storage::transaction& tx) { id = teach(tx, lesson); });
        return id;
    }

    bool undo(std::int64_t sample) {
        bool withdrawn = false;
        run([&](storage::transaction& tx) { withdrawn = withdraw(tx, sample, "user:1"); });
        return withdrawn;
    }

    classifier counts(chat_id chat) {
        classifier stored;
        run([&](storage::transaction& tx) { stored = load_counts(tx, chat); });
        return stored;
    }

    knowledge knowledge_of(chat_id chat) {
        knowledge learned;
        run([&](storage::transaction& tx) { learned = load_knowledge(tx, chat); });
        return learned;
    }

    std::vector<stored_lesson> lessons(lesson_filter const& filter = {}) {
        std::vector<stored_lesson> listed;
        run([&](storage::transaction& tx) { listed = list_lessons(tx, filter); });
        return listed;
    }

    void wait_for_a_waiter() const {
        auto const end = base::system_clock().steady() + std::chrono::seconds{10};
        while (database_.value("select count(*) > 0 from pg_stat_activity where wait_event_type = "
                               "'Lock' and datname = current_database()") != "t")
            ASSERT_LT(base::system_clock().steady(), end) << "nobody waits";
    }

    // As a worker's commit does: while it has a member, a training is still free.
    void meet_a_worker(std::string const& change) {
        ASSERT_TRUE(learn({.chat = group, .text = "earn money", .user = user_id{7}}));
        run([](storage::transaction& tx) { approve(tx, group, user_id{7}, "user:1"); });
        std::future<void> changed;
        run([&](storage::transaction& tx) {
            tx.query(lock_members);
            changed = std::async(std::launch::async, [this, change] { database_.execute(change); });
            wait_for_a_waiter();
            tx.query(lock_trainings_at_once);
        });
        changed.get();
    }

    tests::test_database database_;
};

// What a classifier holds that has seen these alone.
classifier counted(std::vector<sample> const& samples) {
    knowledge fresh;
    for (auto const& sample : samples) fresh.add(sample);
    return fresh.counts();
}

TEST_F(spam_training, counts_what_it_stores) {
    ASSERT_TRUE(learn({.chat = group, .kind = lesson_kind::spam, .text = "earn money, earn"}));
    ASSERT_TRUE(learn({.chat = group, .kind = lesson_kind::ham, .text = "money is a topic"}));

    EXPECT_TRUE(
        counts(group) ==
        counted({{kind::spam, "earn money, earn"}, {kind::ham, "money is a topic"}})
    );
    EXPECT_TRUE(counts(shared_samples) == classifier());
}

TEST_F(spam_training, is_undone_exactly) {
    auto const first = learn({.chat = group, .kind = lesson_kind::spam, .text = "earn money"});
    auto const second = learn({.chat = group, .kind = lesson_kind::ham, .text = "earn a degree"});
    auto const third = learn({.chat = group, .kind = lesson_kind::spam, .text = "money now"});
    ASSERT_TRUE(first && second && third);

    EXPECT_TRUE(undo(*first));
    EXPECT_FALSE(undo(*first));
    EXPECT_TRUE(
        counts(group) == counted({{kind::ham, "earn a degree"}, {kind::spam, "money now"}})
    );
    EXPECT_TRUE(undo(*third));
    EXPECT_TRUE(undo(*second));

    EXPECT_TRUE(counts(group) == classifier());
    EXPECT_EQ(database_.value("select count(*) from postrider.spam_count"), "0");
    EXPECT_FALSE(undo(4711));
}

TEST_F(spam_training, takes_a_sample_once_until_it_is_withdrawn) {
    lesson const taught{.chat = group, .kind = lesson_kind::spam, .text = "earn money"};
    auto const first = learn(taught);
    ASSERT_TRUE(first);

    EXPECT_EQ(learn(taught).error().code, base::errc::conflict);
    EXPECT_TRUE(counts(group) == counted({{kind::spam, "earn money"}}));
    ASSERT_TRUE(undo(*first));
    EXPECT_TRUE(learn(taught));
    EXPECT_TRUE(counts(group) == counted({{kind::spam, "earn money"}}));
}

TEST_F(spam_training, is_whole_or_not_at_all) {
    auto const failed = storage::run_blocking(database_.options(), [](storage::transaction& tx) {
        (void)teach(tx, {.chat = group, .text = "earn money", .trained_by = "user:1"});
        tx.script("select 1/0");
    });

    EXPECT_FALSE(failed);
    EXPECT_TRUE(counts(group) == classifier());
    EXPECT_THAT(lessons(), IsEmpty());
}

TEST_F(spam_training, of_a_group_does_not_reach_others) {
    std::string const text = "purple elephants dance on the roof tonight";
    ASSERT_TRUE(learn({.chat = group, .kind = lesson_kind::spam, .text = text}));

    EXPECT_TRUE(judge(message_of(text), knowledge_of(group)).is_spam);
    EXPECT_FALSE(judge(message_of(text), knowledge_of(chat_id{-200})).is_spam);
    EXPECT_FALSE(judge(message_of(text), knowledge_of(shared_samples)).is_spam);
}

TEST_F(spam_training, that_is_shared_reaches_all) {
    std::string const text = "purple elephants dance on the roof tonight";
    ASSERT_TRUE(learn({.kind = lesson_kind::spam, .text = text}));

    EXPECT_TRUE(judge(message_of(text), knowledge_of(group)).is_spam);
}

TEST_F(spam_training, knows_stop_words) {
    auto const before = knowledge_of(group).stop_words().size();
    ASSERT_TRUE(learn({.chat = group, .kind = lesson_kind::stop_word, .text = "=purple"}));

    EXPECT_EQ(knowledge_of(group).stop_words().size(), before + 1);
    EXPECT_TRUE(counts(group) == classifier());
}

TEST_F(spam_training, refuses_what_says_nothing) {
    for (std::string const& text :
         {std::string(), std::string(" ...\n"), std::string("a\0b", 3), std::string(20'000, 'a')})
        EXPECT_EQ(learn({.chat = group, .text = text}).error().code, base::errc::invalid);
}

TEST_F(spam_training, is_listed_with_its_origin) {
    auto const first = learn(
        {.chat = group,
         .kind = lesson_kind::spam,
         .text = "earn money",
         .origin = lesson_origin::admin,
         .user = user_id{7}}
    );
    ASSERT_TRUE(first);
    ASSERT_TRUE(learn({.kind = lesson_kind::stop_word, .text = "in private"}));
    ASSERT_TRUE(undo(*first));

    EXPECT_EQ(lessons().size(), 1U);
    auto const listed = lessons({.chat = group, .withdrawn = true});
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(listed.front().taught.text, "earn money");
    EXPECT_EQ(listed.front().taught.origin, lesson_origin::admin);
    EXPECT_EQ(listed.front().taught.trained_by, "user:1");
    EXPECT_EQ(listed.front().taught.user, user_id{7});
    EXPECT_EQ(listed.front().withdrawn_by, "user:1");
}

TEST_F(spam_training, is_in_the_audit) {
    auto const sample = learn({.chat = group, .kind = lesson_kind::spam, .text = "earn money"});
    ASSERT_TRUE(sample && undo(*sample));

    EXPECT_EQ(
        database_.value(
            "select string_agg(kind || ' ' || actor, ', ' order by number) from postrider.audit "
            "where lane_id = 0"
        ),
        "spam_train user:1, spam_withdraw user:1"
    );
    EXPECT_EQ(
        database_.value("select count(*) from postrider.audit where detail::text like '%money%'"),
        "0"
    );
}

TEST_F(spam_training, goes_with_a_group_that_becomes_a_supergroup) {
    constexpr chat_id supergroup{-1500};
    ASSERT_TRUE(learn({.chat = group, .text = "earn money"}));
    ASSERT_TRUE(learn({.chat = group, .text = "purple words"}));
    ASSERT_TRUE(learn({.chat = supergroup, .text = "earn money"}));
    database_.execute(
        "insert into postrider.spam_member (chat_id, user_id, messages) values (-100, 7, 2);"
        "insert into postrider.bot (name) values ('main')"
    );

    for (int time = 0; time < 2; ++time)
        database_.execute(
            "insert into postrider.chat (bot_id, chat_id, migrated_to) "
            "select bot_id, -100, -1500 from postrider.bot on conflict (bot_id, chat_id) "
            "do update set migrated_to = excluded.migrated_to"
        );

    EXPECT_TRUE(
        counts(supergroup) == counted({{kind::spam, "earn money"}, {kind::spam, "purple words"}})
    );
    EXPECT_TRUE(counts(group) == classifier());
    EXPECT_EQ(
        database_.value("select chat_id || '/' || messages from postrider.spam_member"), "-1500/2"
    );
    EXPECT_EQ(lessons({.chat = supergroup}).size(), 2U);
}

TEST_F(spam_training, of_a_group_that_moves_gives_way_to_a_worker) {
    database_.execute("insert into postrider.bot (name) values ('main')");
    meet_a_worker("insert into postrider.chat (bot_id, chat_id, migrated_to) "
                  "select bot_id, -100, -1500 from postrider.bot");
    EXPECT_TRUE(counts(chat_id{-1500}) == counted({{kind::spam, "earn money"}}));
}

TEST_F(spam_training, of_a_person_who_is_erased_gives_way_to_a_worker) {
    meet_a_worker("select postrider.erase_spam(7)");
    EXPECT_TRUE(counts(group) == classifier());
}

TEST_F(spam_training, forgets_an_erased_person) {
    ASSERT_TRUE(learn({.chat = group, .text = "earn money", .user = user_id{7}}));
    ASSERT_TRUE(learn({.chat = group, .text = "innocent words", .user = user_id{8}}));

    database_.execute("select postrider.erase_spam(7)");

    EXPECT_TRUE(counts(group) == counted({{kind::spam, "innocent words"}}));
    EXPECT_EQ(
        database_.value("select string_agg(coalesce(content, '-'), ',' order by sample_id) from "
                        "postrider.spam_sample"),
        "-,innocent words"
    );
}

} // namespace
} // namespace postrider::agent::spam::training_rows_test
