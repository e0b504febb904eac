// What judgements leave in Postgres: a message counts once and is remembered once, however often it is judged.
// covers: S4.02, X.09
#include "agent/spam/store/judgements.hpp"
#include "agent/spam/store/members.hpp"
#include "storage/query.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace postrider::agent::spam::judgements_test {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

constexpr chat_id group{-100};
constexpr user_id ada{7};
constexpr std::chrono::sys_seconds noon{1'800'000'000s};

judged_message said(std::int64_t number, std::string_view text, user_id author = ada) {
    judged_message judged{group, number, message_of(text)};
    judged.content.author.id = base::raw(author);
    judged.content.sent_at = noon;
    return judged;
}

judgement passed(int enough = 3) {
    judgement judgement;
    judgement.counts = true;
    judgement.enough = enough;
    return judgement;
}

judgement caught() {
    judgement judgement;
    judgement.verdict.is_spam = true;
    return judgement;
}

class judgements : public testing::Test {
protected:
    judgements() {
        storage::batcher_options options;
        options.name = "judgements";
        batches_ = storage::make_batcher(io_.executor(), database_.options(), options);
    }
    ~judgements() override { batches_->close(); }

    void commit(std::vector<storage::write> rows) {
        auto const done = io_.run(storage::query(*batches_, std::move(rows), 5s));
        ASSERT_TRUE(done) << done.error().detail;
    }
    void judge_it(judged_message const& judged, judgement const& judgement) {
        commit(rows_of(judged, judgement));
    }
    standing look(judged_message const& judged) {
        return io_.run(read_standing(*batches_, judged, 5s)).value();
    }
    void work(std::function<void(storage::transaction&)> const& steps) {
        auto const done = storage::run_blocking(database_.options(), steps);
        ASSERT_TRUE(done) << done.error().detail;
    }
    member of(user_id user, chat_id chat = group) {
        member stored;
        work([&](storage::transaction& tx) { stored = find_member(tx, chat, user); });
        return stored;
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<storage::batcher> batches_;
};

TEST_F(judgements, approve_after_enough_messages) {
    judge_it(said(1, "first message here"), passed());
    judge_it(said(2, "second message here"), passed());
    EXPECT_EQ(of(ada).messages, 2);
    EXPECT_EQ(look(said(3, "third")).acquaintance, acquaintance::stranger);

    judge_it(said(3, "third message here"), passed());

    EXPECT_EQ(of(ada).messages, 3);
    EXPECT_EQ(of(ada).approved_by, "messages");
    EXPECT_EQ(look(said(4, "fourth")).acquaintance, acquaintance::approved);
}

// A commit whose answer was lost is sent again, and an execution may begin anew.
TEST_F(judgements, count_a_message_once) {
    for (int time = 0; time < 3; ++time) judge_it(said(1, "first message here"), passed());
    judge_it(said(1, "first message, edited"), passed());

    EXPECT_EQ(of(ada).messages, 1);
    EXPECT_EQ(database_.value("select count(*) from postrider.spam_recent"), "1");
    EXPECT_EQ(database_.value("select count(*) from postrider.spam_verdict"), "2");
}

TEST_F(judgements, of_one_batch_count_together) {
    auto rows = rows_of(said(1, "first message here"), passed(2));
    std::ranges::move(rows_of(said(2, "second message here"), passed(2)), std::back_inserter(rows));
    std::ranges::move(rows_of(said(2, "second message here"), passed(2)), std::back_inserter(rows));
    std::ranges::move(
        rows_of(said(3, "by another", user_id{8}), passed(2)), std::back_inserter(rows)
    );
    commit(std::move(rows));

    EXPECT_EQ(of(ada).messages, 2);
    EXPECT_EQ(of(ada).approved_by, "messages");
    EXPECT_EQ(of(user_id{8}).messages, 1);
    EXPECT_FALSE(of(user_id{8}).approved_at);
}

TEST_F(judgements, of_spam_make_a_stranger_again) {
    judge_it(said(1, "first message here"), passed(1));
    ASSERT_TRUE(of(ada).approved_at);

    judge_it(said(1, "earn money, edited"), caught());

    EXPECT_EQ(of(ada).messages, 0);
    EXPECT_FALSE(of(ada).approved_at);
    judge_it(said(2, "second message here"), passed(1));
    EXPECT_TRUE(of(ada).approved_at);
}

TEST_F(judgements, change_nothing_that_a_person_said) {
    work([](storage::transaction& tx) { approve(tx, group, ada, "user:1"); });

    judge_it(said(1, "earn money"), caught());

    EXPECT_EQ(of(ada).approved_by, "user:1");
    EXPECT_EQ(look(said(2, "hello")).acquaintance, acquaintance::trusted);
}

TEST_F(judgements, of_two_groups_are_apart) {
    judge_it(said(1, "first message here"), passed(1));
    auto elsewhere = said(1, "first message here");
    elsewhere.chat = chat_id{-200};

    EXPECT_EQ(look(elsewhere).acquaintance, acquaintance::stranger);
    EXPECT_THAT(look(elsewhere).recent.messages, IsEmpty());
    judge_it(elsewhere, passed(2));
    EXPECT_EQ(of(ada, chat_id{-200}).messages, 1);
    EXPECT_FALSE(of(ada, chat_id{-200}).approved_at);
}

TEST_F(judgements, never_compare_a_message_with_itself) {
    judge_it(said(1, "the same words"), passed());
    judge_it(said(2, "the same words"), passed());

    EXPECT_THAT(look(said(2, "the same words")).recent.messages, SizeIs(1));
    EXPECT_THAT(look(said(3, "the same words")).recent.messages, SizeIs(2));
}

TEST_F(judgements, remember_what_repetitions_need) {
    judge_it(said(1, "words of hers"), passed());
    judge_it(said(2, "the same words", user_id{8}), passed());
    judge_it(said(3, "other words", user_id{9}), passed());
    judge_it(said(4, "", user_id{9}), passed());

    auto const recent = look(said(5, "the same words")).recent.messages;

    ASSERT_THAT(recent, SizeIs(2)) << "her own, and the same wording";
    EXPECT_EQ(recent[0].author, 7);
    EXPECT_EQ(recent[0].sent_at, noon);
    EXPECT_EQ(recent[1].author, 8);
    EXPECT_EQ(recent[1].wording, wording_of(normalize("the same words")));
    EXPECT_THAT(look(said(6, "", user_id{5})).recent.messages, IsEmpty())
        << "messages without words have nothing in common";
}

TEST_F(judgements, of_an_edit_replace_the_wording) {
    judge_it(said(1, "the first words"), passed());
    judge_it(said(1, "the other words"), {});

    auto const recent = look(said(2, "hm")).recent.messages;

    ASSERT_THAT(recent, SizeIs(1));
    EXPECT_EQ(recent[0].wording, wording_of(normalize("the other words")));
}

TEST_F(judgements, take_any_text) {
    auto strange = said(1, std::string("a\0b \xff", 5));
    strange.content.author.id = -8; // a channel
    judge_it(strange, passed(1));

    EXPECT_EQ(of(user_id{-8}).approved_by, "messages");
    EXPECT_EQ(database_.value("select count(*) from postrider.spam_verdict"), "1");
}

TEST_F(judgements, are_forgotten_with_their_author) {
    judge_it(said(1, "first message here"), passed(1));

    database_.execute("select postrider.erase_spam(7)");

    EXPECT_EQ(of(ada).messages, 0);
    EXPECT_EQ(database_.value("select count(*) from postrider.spam_verdict"), "0");
    EXPECT_EQ(database_.value("select count(*) from postrider.spam_recent"), "0");
}

// Trainings that a judgement must hear of.
class knowledge_of_groups : public judgements {
protected:
    ~knowledge_of_groups() override { db_->close(); }

    std::int64_t learn(chat_id chat, std::string text) {
        std::int64_t sample = 0;
        work([&](storage::transaction& tx) {
            sample = teach(tx, {.chat = chat, .text = text, .trained_by = "user:1"}).value();
        });
        return sample;
    }
    std::shared_ptr<knowledge const> known_in(
        chat_id chat, sample_choice choice = sample_choice::both
    ) {
        auto const revisions = look({chat, 1, message_of("hi")}).revisions;
        return io_.run(cache_.find(chat, choice, revisions, 5s)).value();
    }
    bool is_spam(std::string const& text, knowledge const& learned) {
        return judge(message_of(text), learned).is_spam;
    }

    std::unique_ptr<storage::database> db_ =
        storage::open_database(io_.executor(), database_.options());
    knowledge_cache cache_{*db_};
    std::string const words_ = "purple elephants dance on the roof tonight";
    std::string const other_words_ = "seven yellow tractors melted quietly yesterday";
};

TEST_F(knowledge_of_groups, is_loaded_when_it_has_changed) {
    EXPECT_EQ(known_in(group).get(), &default_knowledge()) << "nobody has trained it";
    auto const sample = learn(group, words_);
    auto const learned = known_in(group);
    EXPECT_TRUE(is_spam(words_, *learned));
    EXPECT_EQ(known_in(group), learned) << "it is kept";

    work([&](storage::transaction& tx) { ASSERT_TRUE(withdraw(tx, sample, "user:1")); });

    EXPECT_FALSE(is_spam(words_, *known_in(group)));
}

TEST_F(knowledge_of_groups, is_of_the_samples_that_the_group_uses) {
    learn(group, words_);
    learn(shared_samples, other_words_);
    auto const knows = [&](chat_id chat, sample_choice choice) {
        auto const learned = known_in(chat, choice);
        return std::pair(is_spam(words_, *learned), is_spam(other_words_, *learned));
    };

    EXPECT_EQ(knows(group, sample_choice::own), std::pair(true, false));
    EXPECT_EQ(knows(group, sample_choice::shared), std::pair(false, true));
    EXPECT_EQ(knows(group, sample_choice::both), std::pair(true, true));
    EXPECT_EQ(knows(chat_id{-200}, sample_choice::both), std::pair(false, true));
    EXPECT_EQ(knows(chat_id{-200}, sample_choice::own), std::pair(false, false));
    EXPECT_EQ(known_in(chat_id{-200}), known_in(chat_id{-300})) << "groups without own samples";
}

// The group's own samples are in both.
TEST_F(knowledge_of_groups, is_what_a_training_is_shown_against) {
    learn(group, words_);

    lesson ham;
    ham.chat = group;
    ham.kind = lesson_kind::ham;
    ham.text = words_;
    auto const effect = io_.run(cache_.preview(ham, 5s));

    ASSERT_TRUE(effect) << effect.error().detail;
    EXPECT_TRUE(effect->itself.was_spam);
    EXPECT_LT(effect->itself.points_after, effect->itself.points_before);
}

TEST_F(knowledge_of_groups, is_not_known_without_the_database) {
    learn(group, words_);
    auto const revisions = look({group, 1, message_of("hi")}).revisions;
    db_->close();

    auto const learned = io_.run(cache_.find(group, sample_choice::both, revisions, 5s));

    ASSERT_FALSE(learned);
    EXPECT_EQ(learned.error().code, base::errc::unavailable);
}

} // namespace
} // namespace postrider::agent::spam::judgements_test
