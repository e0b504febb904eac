// What a register and models have said, kept in Postgres.
// covers: X.09
#include "agent/spam/store/outside_answers.hpp"
#include "storage/query.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::spam::outside_answers_test {
namespace {

using namespace std::chrono_literals;

class outside_answers_rows : public testing::Test {
protected:
    outside_answers_rows() {
        storage::batcher_options options;
        options.name = "outside";
        batches_ = storage::make_batcher(io_.executor(), database_.options(), options);
    }
    ~outside_answers_rows() override { batches_->close(); }

    void keep(storage::write row) {
        ASSERT_TRUE(io_.run(storage::query(*batches_, std::move(row), 5s)));
    }
    registration registered(user_id user, std::chrono::hours kept_for = 24h) {
        return io_.run(read_registration(*batches_, user, kept_for, 5s)).value();
    }
    std::optional<opinion> opinion_on(std::string_view text, chat_id chat = chat_id{-100}) {
        return io_.run(read_opinion(*batches_, asked_text_of(chat, user_id{7}, text), 24h, 5s))
            .value();
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<storage::batcher> batches_;
};

TEST_F(outside_answers_rows, of_the_register_are_kept_for_a_time) {
    EXPECT_FALSE(registered(user_id{7}).is_registered);
    keep(registration_row(user_id{7}, true));
    keep(registration_row(user_id{8}, false));
    EXPECT_EQ(registered(user_id{7}).is_registered, true);
    EXPECT_EQ(registered(user_id{8}).is_registered, false);
    EXPECT_FALSE(registered(user_id{7}).is_away);

    keep(registration_row(user_id{7}, false));
    EXPECT_EQ(registered(user_id{7}).is_registered, false) << "the later one counts";
    database_.execute(
        "update postrider.spam_registration set asked_at = asked_at - interval '2 hours'"
    );
    EXPECT_EQ(registered(user_id{7}).is_registered, false);
    EXPECT_FALSE(registered(user_id{7}, 1h).is_registered) << "it is too old";
}

TEST_F(outside_answers_rows, tell_that_the_register_is_away) {
    keep(registration_row(user_id{7}, std::nullopt));
    EXPECT_TRUE(registered(user_id{8}).is_away);
    EXPECT_FALSE(registered(user_id{7}).is_registered);

    database_.execute(
        "update postrider.spam_registration set asked_at = asked_at - interval '2 min'"
    );
    EXPECT_FALSE(registered(user_id{8}).is_away);
}

TEST_F(outside_answers_rows, of_a_model_are_kept_by_the_folded_text) {
    EXPECT_FALSE(opinion_on("Earn money"));
    keep(opinion_row(asked_text_of(chat_id{-100}, user_id{7}, "Earn money"), {true, "it sells"}));

    EXPECT_EQ(opinion_on("eаrn MONEY!!!"), (opinion{true, "it sells"})) << "one letter is Cyrillic";
    EXPECT_FALSE(opinion_on("earn money", chat_id{-200})) << "each group has its topics";
    keep(opinion_row(asked_text_of(chat_id{-100}, user_id{7}, "earn money"), {false, "a joke"}));
    EXPECT_EQ(opinion_on("earn money"), (opinion{false, "a joke"}));
    database_.execute("update postrider.spam_opinion set given_at = given_at - interval '25 hours'"
    );
    EXPECT_FALSE(opinion_on("earn money"));
}

TEST_F(outside_answers_rows, are_forgotten) {
    keep(registration_row(user_id{7}, true));
    keep(opinion_row(
        asked_text_of(chat_id{-100}, user_id{7}, "earn"), {true, std::string("\xff\0", 2)}
    ));

    database_.execute("select postrider.erase_spam(7)");

    EXPECT_FALSE(registered(user_id{7}).is_registered);
    EXPECT_EQ(database_.value("select count(*) from postrider.spam_opinion"), "0");
}

} // namespace
} // namespace postrider::agent::spam::outside_answers_test
