// What an agent in a group reads of the archive, and summaries of it.
#include "storage/query.hpp"
#include "storage/stores/group_archive.hpp"
#include "storage/stores/group_context.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::group_context_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

// Messages are numbered by their jobs.
class group_context : public testing::Test {
protected:
    group_context() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
        database_.execute("insert into postrider.bot (name, telegram_id, username) values ('main', "
                          "99, 'claudir_bot')");
        database_.execute("insert into postrider.lane (lane_key, bot_id, chat_id) "
                          "select '1:-100:0', bot_id, -100 from postrider.bot");
        lane_ = lane_id{std::stoll(database_.value("select lane_id from postrider.lane"))};
        bot_ = bot_id{std::stoll(database_.value("select bot_id from postrider.bot"))};
    }
    ~group_context() override { batches_->close(); }

    // Of the job of that number, a message of the same number.
    void say(int number, std::string const& text, std::string const& input = "{}") {
        auto const n = std::to_string(number);
        database_.execute(
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
            "started_at, finished_at, input) values (" +
            n + ", " + lane() + ", 1, " + n +
            ", 'completed', 'turn', postrider.now(), postrider.now(), '" + input + "')"
        );
        database_.execute(
            "insert into postrider.message (lane_id, job_id, conversation_id, position, id, role, "
            "content, "
            "telegram_message_id, number_elsewhere, chat_id, sender_id, sender_name, author, "
            "reply_to) values (" +
            lane() + ", " + n + ", 1, 0, 'x', 'user', '" + text + "', " + n + ", " + n +
            ", -100, 7, 'Alice Doe', '{\"username\": \"alice\"}', " +
            (input == "{}" ? "null" : "1") + ")"
        );
    }
    void answer(int number, int job, std::string const& text) {
        database_.execute(
            "insert into postrider.message (lane_id, job_id, conversation_id, position, id, role, "
            "content, "
            "telegram_message_id, chat_id) values (" +
            lane() + ", " + std::to_string(job) + ", 1, 5, 'y', 'assistant', '" + text + "', " +
            std::to_string(number) + ", -100)"
        );
    }
    std::string lane() const { return std::to_string(base::raw(lane_)); }
    group_history read(int turn, std::optional<base::sys_time> since = {}, int most = 100) {
        context_page page{
            .bot = bot_,
            .chat = chat_id{-100},
            .lane = lane_,
            .turn = job_id{turn},
            .since = since};
        page.most = most;
        return io_.run(read_group_context(*batches_, page, 5s)).value();
    }
    std::vector<std::string> texts(int turn) {
        std::vector<std::string> texts;
        for (auto const& message : read(turn).messages) texts.push_back(message.text);
        return texts;
    }
    std::string summary(int turn) {
        auto const history = read(turn);
        return history.summary ? history.summary->text : "none";
    }
    // Of the messages from one job to another.
    void summarise(int first, int last, std::string text, std::int64_t sources) {
        summary_source source{.lane = lane_, .chat = chat_id{-100}};
        source.first = {job_id{first}, 0};
        source.messages = sources;
        summary_row row{{job_id{last}, 0}, sources, std::move(text), read(last).read_at};
        write_all({add_group_summary(source, row)});
    }
    void write_all(std::vector<write> writes) {
        ASSERT_TRUE(io_.run(query_apart(*batches_, std::move(writes), 5s)));
    }
    void edit(int number, std::string const& text) {
        database_.execute(
            "update postrider.message set content = '" + text +
            "', earlier = jsonb_build_array(jsonb_build_object('content', content, 'until', "
            "postrider.now())) where job_id = " +
            std::to_string(number)
        );
    }
    // As spam.
    void judge(int number) {
        database_.execute(
            "insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, "
            "points, threshold, checks, content) values (-100, " +
            std::to_string(number) + ", 1, 7, true, 130, 100, '[]', 'x')"
        );
    }
    void remove(int number) {
        write_all({mark_removed(bot_, chat_id{-100}, {telegram_message_id{number}})});
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
    lane_id lane_{};
    bot_id bot_{};
};

// covers: S4.04 S4.16
TEST_F(group_context, has_what_was_said_up_to_the_turn_and_our_own_words_before_it) {
    say(1, "hey everyone");
    answer(2, 1, "hm good point");
    say(3, "thanks");
    answer(4, 3, "of this turn");
    say(5, "later");

    auto const history = read(3);

    ASSERT_EQ(history.messages.size(), 3u);
    auto const& first = history.messages[0];
    EXPECT_EQ(first.place, (group_place{job_id{1}, 0}));
    EXPECT_EQ(first.message, telegram_message_id{1});
    EXPECT_EQ(first.user, user_id{7});
    EXPECT_EQ(first.name, "alice");
    auto const& own = history.messages[1];
    EXPECT_EQ(own.text, "hm good point");
    EXPECT_EQ(own.user, user_id{99});
    EXPECT_EQ(own.name, "claudir_bot");
    EXPECT_FALSE(history.summary);
    EXPECT_LE(history.arrived_at, history.read_at);
    EXPECT_EQ(read(5, {}, 2).messages.front().text, "of this turn") << "the newest two";
}

TEST_F(group_context, knows_what_an_edited_message_said_before) {
    say(1, "second");
    database_.execute(R"(update postrider.message set earlier = jsonb_build_array(
        jsonb_build_object('content', 'first', 'until', postrider.now())))");

    auto const message = read(1).messages.at(0);

    ASSERT_EQ(message.earlier.size(), 1u);
    EXPECT_EQ(message.earlier[0].text, "first");
    EXPECT_GE(message.earlier[0].until, message.stored_at);
}

TEST_F(group_context, quotes_what_a_reply_answers_unless_that_was_deleted) {
    say(1, "what about rust?");
    say(2,
        "yeah",
        R"({"seen": {"reply": {"message": 1, "name": "Alice", "text": "what about rust?"}}})");
    auto const reply = read(2).messages.at(1).reply;
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->message, telegram_message_id{1});
    EXPECT_EQ(reply->name, "Alice");
    EXPECT_EQ(reply->text, "what about rust?");

    remove(1);

    EXPECT_FALSE(read(2).messages.at(0).reply);
}

// A dry run leaves spam in the group: replies do not bring its words back.
TEST_F(group_context, quotes_no_spam_that_still_stands_there) {
    say(1, "earn money now");
    say(2, "really?", R"({"seen": {"reply": {"message": 1, "name": "Eve", "text": "earn money"}}})"
    );
    database_.execute(
        "insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, "
        "points, threshold, checks, content) values (-100, 1, 1, 7, true, 130, 100, '[]', 'x')"
    );

    EXPECT_FALSE(read(2).messages.at(0).reply);

    database_.execute(
        "insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, action, content, "
        "undone_at, undone_by) values (-100, 1, 7, 1, 'dry_run', 'x', postrider.now(), 'user:1')"
    );
    EXPECT_TRUE(read(2).messages.at(1).reply) << "it was no spam";
}

TEST_F(group_context, has_no_words_of_a_picture_without_any) {
    say(1, "(sticker)", R"({"seen": {"text": "", "media": "sticker"}})");
    database_.execute(R"(update postrider.message set author = '{"media": "sticker"}')");

    auto const message = read(1).messages.at(0);

    EXPECT_EQ(message.text, "");
    EXPECT_EQ(message.media, "sticker");
}

// covers: S4.01 S4.07
TEST_F(group_context, has_nothing_that_the_filter_takes_for_spam) {
    for (int number = 1; number <= 2; ++number) say(number, std::to_string(number));
    auto const judge = [this](int wording, bool is_spam) {
        database_.execute(
            "insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, "
            "points, threshold, checks, "
            "content, judged_at) values (-100, 1, " +
            std::to_string(wording) + ", 7, " + (is_spam ? "true" : "false") +
            ", 1, 100, '[]', 'x', postrider.now() + " + std::to_string(wording) +
            " * interval '1 s')"
        );
    };
    judge(1, false);
    EXPECT_THAT(texts(2), ElementsAre("1", "2"));

    judge(2, true);

    EXPECT_THAT(texts(2), ElementsAre("2")) << "it was edited to spam";
    database_.execute(
        "insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, action, content, "
        "undone_at, undone_by) values (-100, 1, 7, 1, 'dry_run', 'x', postrider.now(), 'user:1')"
    );
    EXPECT_THAT(texts(2), ElementsAre("1", "2")) << "a person says that it is none";
}

// covers: S4.06 S4.07
TEST_F(group_context, begins_behind_the_newest_summary) {
    for (int number = 1; number <= 4; ++number) say(number, std::to_string(number));
    summarise(1, 2, "one and two", 2);
    EXPECT_EQ(summary(4), "one and two");
    EXPECT_THAT(texts(4), ElementsAre("3", "4"));

    summarise(3, 3, "one to three", 1);

    EXPECT_EQ(summary(4), "one to three");
    EXPECT_THAT(texts(4), ElementsAre("4"));
    EXPECT_EQ(summary(2), "one and two") << "a past turn has what it had";
}

// covers: S4.07
TEST_F(group_context, has_what_was_edited_since_the_summary_that_covers_it) {
    for (int number = 1; number <= 5; ++number) say(number, std::to_string(number));
    summarise(1, 3, "one to three", 3);
    EXPECT_THAT(read(5).edited, IsEmpty());

    edit(2, "two");

    auto const history = read(5);
    ASSERT_EQ(history.edited.size(), 1u);
    EXPECT_EQ(history.edited[0].text, "two");
    EXPECT_EQ(history.edited[0].earlier.at(0).text, "2");
    EXPECT_EQ(history.messages.size(), 2u);
    summarise(4, 4, "one to four", 1);
    EXPECT_THAT(read(5).edited, IsEmpty()) << "that has it";
    edit(1, "spam");
    judge(1);
    EXPECT_THAT(read(5).edited, IsEmpty()) << "a dry run leaves it in the group";
}

// covers: X.10
TEST_F(group_context, does_without_summaries_of_what_was_deleted) {
    for (int number = 1; number <= 5; ++number) say(number, std::to_string(number));
    summarise(1, 2, "one and two", 2);
    summarise(3, 4, "one to four", 2);

    remove(3);

    EXPECT_EQ(summary(5), "one and two");
    EXPECT_THAT(texts(5), ElementsAre("4", "5"));
    remove(5);
    EXPECT_EQ(summary(5), "one and two") << "it has nothing of that";
    remove(1);
    EXPECT_EQ(summary(5), "none");
    EXPECT_THAT(texts(5), ElementsAre("2", "4"));
}

// A message that is deleted while the model is asked for the summary, or erased.
// covers: X.10
TEST_F(group_context, keeps_no_summary_of_messages_that_are_gone) {
    for (int number = 1; number <= 3; ++number) say(number, std::to_string(number));
    auto const before = read(3);
    remove(1);
    summary_source source{.lane = lane_, .chat = chat_id{-100}};
    source.first = {job_id{1}, 0};
    source.messages = 2;
    write_all({add_group_summary(source, {{job_id{2}, 0}, 2, "one and two", before.read_at})});
    EXPECT_EQ(database_.value("select count(*) from postrider.group_summary"), "0");

    summarise(2, 2, "two", 1);
    EXPECT_EQ(database_.value("select count(*) from postrider.group_summary"), "1");
}

// A dry run, which is the default, leaves spam in the group: summaries go on without it.
// covers: S4.06
TEST_F(group_context, keeps_a_summary_of_messages_with_spam_among_them) {
    for (int number = 1; number <= 4; ++number) say(number, std::to_string(number));
    judge(2);
    summarise(1, 3, "one and three", 2);
    EXPECT_EQ(summary(4), "one and three");

    summary_source source{.lane = lane_, .chat = chat_id{-100}};
    source.first = {job_id{4}, 0};
    source.messages = 1;
    auto const before = read(4);
    judge(4);
    write_all({add_group_summary(source, {{job_id{4}, 0}, 3, "with four", before.read_at})});
    EXPECT_EQ(summary(4), "one and three") << "it was edited to spam while the model was asked";
}

TEST_F(group_context, deletes_what_is_out_of_date_with_the_next_summary) {
    for (int number = 1; number <= 4; ++number) say(number, std::to_string(number));
    summarise(1, 2, "one and two", 2);
    remove(1);
    // The removal is within the minute in which a summary counts as out of date: so the next one says that it was read later.
    summary_source source{.lane = lane_, .chat = chat_id{-100}};
    source.first = {job_id{2}, 0};
    source.messages = 2;
    write_all(
        {add_group_summary(source, {{job_id{3}, 0}, 2, "two and three", read(4).read_at + 2min})}
    );

    EXPECT_EQ(
        database_.value("select string_agg(content, ',') from postrider.group_summary"),
        "two and three"
    );
    EXPECT_EQ(summary(4), "two and three");
}

TEST_F(group_context, forgets_what_was_cleared) {
    for (int number = 1; number <= 3; ++number) say(number, std::to_string(number));
    write_all({add_group_summary(
        {.lane = lane_, .chat = chat_id{-100}}, {{job_id{2}, 0}, 0, "", read(2).read_at}
    )});

    edit(1, "one");

    EXPECT_EQ(summary(3), "");
    EXPECT_THAT(texts(3), ElementsAre("3"));
    EXPECT_THAT(read(3).edited, IsEmpty());
    remove(1);
    EXPECT_THAT(texts(3), ElementsAre("3"));
}

// covers: S4.15
TEST_F(group_context, of_a_process_begins_with_it) {
    say(1, "before");
    summarise(1, 1, "of the database", 1);
    auto const started = read(1).read_at;
    say(2, "after");

    auto const history = read(2, started);

    EXPECT_FALSE(history.summary);
    ASSERT_EQ(history.messages.size(), 1u);
    EXPECT_EQ(history.messages[0].text, "after");
    archive_page page{.bot = bot_, .chat = chat_id{-100}, .lane = lane_};
    EXPECT_EQ(io_.run(read_archive(*batches_, page, 5s)).value().size(), 2u);
}

} // namespace
} // namespace postrider::storage::group_context_test
