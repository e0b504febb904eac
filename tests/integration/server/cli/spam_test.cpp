// covers: X.09
#include "tests/integration/server/cli/database_commands.hpp"
#include "tests/support/flow_builder.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace postrider::cli::spam_test {
namespace {

using testing::HasSubstr;

class spam_commands : public tests::database_commands {};

constexpr auto text = "purple elephants dance on the roof tonight";

TEST_F(spam_commands, training_is_shown_done_and_undone) {
    auto const shown = run_with({"spam", "train", text, "--spam"});
    auto const untouched = run_with({"spam", "samples", "list"});
    auto const trained = run_with({"spam", "train", text, "--spam", "--yes", "--json"});
    auto const judged = run_with({"spam", "check", text, "--chat", "0", "--json"});
    auto const withdrawn = run_with({"spam", "samples", "withdraw", "1"});
    auto const again = run_with({"spam", "samples", "withdraw", "1"});
    auto const after = run_with({"spam", "check", text, "--chat", "0", "--json"});

    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("before (not spam)"));
    EXPECT_THAT(shown.err, HasSubstr("--yes"));
    EXPECT_THAT(untouched.err, HasSubstr("no samples"));
    ASSERT_EQ(trained.code, 0) << trained.err;
    EXPECT_EQ(boost::json::parse(trained.out).at("sample").as_int64(), 1);
    EXPECT_TRUE(boost::json::parse(judged.out).at("spam").as_bool());
    EXPECT_EQ(withdrawn.code, 0) << withdrawn.err;
    EXPECT_EQ(again.code, 1);
    EXPECT_FALSE(boost::json::parse(after.out).at("spam").as_bool());
}

TEST_F(spam_commands, the_preview_judges_recent_messages_again) {
    database.execute(
        "insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, "
        "points, threshold, checks, content) "
        "values (-100, 1, 1, 7, false, 0, 100, '[]', 'purple elephants dance on the roof at night')"
    );

    auto const shown = run_with({"spam", "train", text, "--spam", "--json"});

    ASSERT_EQ(shown.code, 0) << shown.err;
    auto const effect = boost::json::parse(shown.out);
    EXPECT_EQ(effect.at("judged").as_int64(), 1);
    ASSERT_EQ(effect.at("changed").as_array().size(), 1U);
    EXPECT_TRUE(effect.at("changed").at(0).at("is_spam").as_bool());
}

TEST_F(spam_commands, samples_come_and_go_as_files) {
    auto const path =
        std::filesystem::temp_directory_path() / ("spam_test." + std::to_string(getpid()));
    std::ofstream(path) << "earn money\n\nbuy now\n...\nearn money\n";

    auto const imported =
        run_with({"spam", "samples", "import", path.string(), "--kind", "spam", "--json"});
    auto const exported = run_with({"spam", "samples", "export", "--kind", "spam"});
    auto const none = run_with({"spam", "samples", "export", "--kind", "ham"});
    auto const missing =
        run_with({"spam", "samples", "import", path.string() + ".no", "--kind", "spam"});
    std::filesystem::remove(path);

    ASSERT_EQ(imported.code, 0) << imported.err;
    auto const count = boost::json::parse(imported.out);
    EXPECT_EQ(count.at("learned").as_int64(), 2);
    EXPECT_EQ(count.at("known").as_int64(), 1);
    EXPECT_EQ(count.at("refused").as_int64(), 1);
    EXPECT_EQ(exported.out, "buy now\nearn money\n");
    EXPECT_EQ(none.out, "");
    EXPECT_EQ(missing.code, 1);
}

TEST_F(spam_commands, samples_are_listed_in_pages) {
    for (std::string const word : {"first", "second", "third"})
        ASSERT_EQ(
            run_with({"spam", "samples", "add", word, "--kind", "stop_word", "--chat", "-100"})
                .code,
            0
        );

    auto const page =
        boost::json::parse(run_with({"spam", "samples", "list", "--limit", "2", "--json"}).out);
    auto const rest =
        boost::json::parse(run_with({"spam", "samples", "list", "--cursor", "2", "--json"}).out);

    EXPECT_EQ(page.at("samples").as_array().size(), 2U);
    EXPECT_EQ(page.at("next").as_string(), "2");
    EXPECT_EQ(rest.at("samples").at(0).at("text").as_string(), "first");
    EXPECT_EQ(rest.at("samples").at(0).at("chat").as_int64(), -100);
}

TEST_F(spam_commands, members_are_listed_in_pages) {
    database.execute("insert into postrider.spam_member (chat_id, user_id, messages, banned_at, "
                     "banned_by) values "
                     "(-100, 7, 3, null, null), (-100, 8, 2, postrider.now(), 'user:1'), (-200, 9, "
                     "1, null, null)");

    auto const listed = run_with({"spam", "members", "--chat", "-100"});
    auto const page = boost::json::parse(
        run_with({"spam", "members", "--chat", "-100", "--limit", "1", "--json"}).out
    );
    auto const rest = boost::json::parse(
        run_with({"spam", "members", "--chat", "-100", "--cursor", "3,7", "--json"}).out
    );
    auto const banned = boost::json::parse(
        run_with({"spam", "members", "--chat", "-100", "--state", "banned", "--json"}).out
    );

    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_THAT(listed.out, HasSubstr("messages"));
    EXPECT_EQ(page.at("members").at(0).at("user").as_int64(), 7);
    EXPECT_EQ(page.at("next").as_string(), "3,7");
    EXPECT_EQ(rest.at("members").at(0).at("user").as_int64(), 8);
    EXPECT_FALSE(rest.as_object().contains("next"));
    EXPECT_EQ(banned.at("members").as_array().size(), 1U);
    EXPECT_EQ(run_with({"spam", "members", "--chat", "-100", "--cursor", "x"}).code, 2);
    EXPECT_EQ(run_with({"spam", "members"}).code, 2);
}

TEST_F(spam_commands, a_catch_is_undone_once) {
    database.execute(
        "insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, action, content) "
        "values (-100, 5, 7, 1, 'ban', 'purple elephants')"
    );

    auto const undone = run_with({"spam", "undo", "5", "--chat", "-100", "--json"});
    auto const again = run_with({"spam", "undo", "5", "--chat", "-100"});
    auto const unknown = run_with({"spam", "undo", "6", "--chat", "-100"});

    ASSERT_EQ(undone.code, 0) << undone.err;
    auto const author = boost::json::parse(undone.out);
    EXPECT_EQ(author.at("user").as_int64(), 7);
    EXPECT_TRUE(author.at("approved_at").is_string());
    EXPECT_TRUE(author.at("job_id").is_int64());
    EXPECT_EQ(
        database.value("select kind || ' ' || (input ->> 'act') from postrider.job"),
        "moderation_by_hand unban"
    );
    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.err, HasSubstr("undone before"));
    EXPECT_EQ(unknown.code, 1);
}

TEST_F(spam_commands, wrong_words_are_wrong_usage) {
    EXPECT_EQ(run_with({"spam", "train", "text"}).code, 2);
    EXPECT_EQ(run_with({"spam", "train", "text", "--spam", "--ham"}).code, 2);
    EXPECT_EQ(run_with({"spam", "samples", "add", "text", "--kind", "eggs"}).code, 2);
    EXPECT_EQ(run_with({"spam", "samples", "add", "...", "--kind", "spam"}).code, 1);
    auto const rule = run_with({"spam", "check", "text", "--set", "link.on=true"});
    EXPECT_EQ(rule.code, 1);
    EXPECT_THAT(rule.err, HasSubstr("links.on"));
}

TEST_F(spam_commands, a_check_needs_no_database) {
    std::ostringstream out, err;
    EXPECT_EQ(
        run({"spam", "check", "Заработок удалённо, пишите в лс, 18+", "--json"}, {}, out, err), 0
    );
    auto const verdict = boost::json::parse(out.str());
    EXPECT_TRUE(verdict.at("spam").as_bool()) << out.str();
    auto const& check = verdict.at("checks").at(0);
    for (auto const* member : {"name", "spam", "score", "reason"})
        EXPECT_TRUE(check.as_object().contains(member)) << member;
}

// A message of a member in a group, so many hours ago, and the event of its job if there is one.
std::string message_row(
    int number, int hours, std::string const& words, std::string const& user = "7"
) {
    return "insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, "
           "content, telegram_message_id, created_at, sent_at, chat_id, sender_id, sender_name) "
           "select lane_id, " +
           std::to_string(number) + ", 1, 0, 'user', 'm" + std::to_string(number) + "', '" + words +
           "', " + std::to_string(number) + ", postrider.now() - interval '" +
           std::to_string(hours) + " hours', postrider.now() - interval '" + std::to_string(hours) +
           " hours', chat_id, " + user + ", 'Eve' from postrider.lane where lane_key = 'group'";
}

class past_of_a_group : public spam_commands {
protected:
    past_of_a_group() {
        database.execute("insert into postrider.bot (name) values ('main')");
        database.execute("insert into postrider.lane (lane_key, bot_id, chat_id) "
                         "select 'group', bot_id, -100 from postrider.bot where name = 'main'");
        database.execute(message_row(1, 1000, "an old one with https://example.org/old in it"));
        database.execute(
            message_row(2, 20, "my slides are at https://example.org/talk, have a look", "8")
        );
        database.execute(message_row(3, 10, "hello all, how are you today?", "9"));
    }
    boost::json::value replayed(std::vector<std::string> more) {
        more.insert(more.begin(), {"spam", "replay", "--json"});
        auto const result = run_with(more);
        EXPECT_EQ(result.code, 0) << result.err;
        return boost::json::parse(result.out);
    }
};

TEST_F(past_of_a_group, is_judged_by_changed_rules) {
    auto const strict = replayed({"--set", "links.weight=1000"});

    EXPECT_EQ(strict.at("judged").as_int64(), 2) << "the old one is not looked at";
    EXPECT_EQ(strict.at("caught").as_int64(), 1);
    EXPECT_EQ(strict.at("missed").as_int64(), 0);
    auto const& caught = strict.at("newly_caught").at(0);
    EXPECT_EQ(caught.at("chat").as_int64(), -100);
    EXPECT_EQ(caught.at("message").as_int64(), 2);
    EXPECT_EQ(caught.at("user").as_int64(), 8);
    EXPECT_EQ(replayed({"--since", "60d"}).at("judged").as_int64(), 3);
    EXPECT_EQ(replayed({"--chat", "-200"}).at("judged").as_int64(), 0);
    EXPECT_EQ(replayed({"--chat", "-100"}).at("judged").as_int64(), 2);
}

TEST_F(past_of_a_group, begins_with_the_rules_of_the_flow_that_watches_it) {
    auto const path = std::filesystem::temp_directory_path() /
                      ("spam_test." + std::to_string(getpid()) + ".guard.json");
    std::ofstream(path
    ) << tests::flow_builder("guard")
             .trigger("In", "telegram.group")
             .node(
                 "Check",
                 "spam.check",
                 {{"rules", {{"links.weight", 1000}}}, {"messages_until_approved", 1}}
             )
             .text();
    auto const imported = run_with({"flows", "import", path.string(), "--publish"});
    std::filesystem::remove(path);
    ASSERT_EQ(imported.code, 0) << imported.err;

    auto const loose = replayed({"--set", "links.weight=10"});
    auto const checked = run_with({"spam", "check", "see https://example.org", "--chat", "-100"});
    auto const shared = run_with({"spam", "check", "see https://example.org", "--chat", "0"});

    EXPECT_EQ(loose.at("spam_before"), 1);
    EXPECT_EQ(loose.at("missed"), 1);
    EXPECT_EQ(loose.at("rules").at(0).at("flow"), "guard");
    EXPECT_EQ(loose.at("rules").at(0).at("version"), 1);
    EXPECT_THAT(checked.out, HasSubstr("Rules: the flow guard, version 1."));
    EXPECT_THAT(checked.out, HasSubstr("\nspam: "));
    EXPECT_THAT(shared.out, HasSubstr("not spam: "));
    EXPECT_THAT(shared.out, HasSubstr("Rules: the defaults."));
}

TEST_F(past_of_a_group, says_in_words_what_would_have_been) {
    auto const shown = run_with({"spam", "replay", "--set", "links.weight=1000"});

    ASSERT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(
        shown.out, HasSubstr("2 messages: 0 are spam by the rules of today, 1 by the changed")
    );
    EXPECT_THAT(shown.out, HasSubstr("Caught"));
    EXPECT_THAT(shown.out, HasSubstr("my slides"));
    EXPECT_THAT(shown.out, HasSubstr("\nChecks\n")) << "what each check gives then";
    EXPECT_THAT(shown.out, HasSubstr("\nlinks "));
}

TEST_F(past_of_a_group, has_what_the_events_of_its_messages_told) {
    database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, input, "
        "finished_at) "
        "select 3, lane_id, 1, 1, 'completed', 'turn', '{\"seen\": {\"event\": \"message\", "
        "\"sender\": {\"kind\": "
        "\"member\", \"user\": 9}, \"forward\": {\"kind\": \"user\"}}}', postrider.now() "
        "from postrider.lane where lane_key = 'group'"
    );

    auto const forwards = replayed({"--set", "forward.on=true", "--set", "forward.weight=1000"});

    ASSERT_EQ(forwards.at("caught").as_int64(), 1);
    EXPECT_EQ(forwards.at("newly_caught").at(0).at("message").as_int64(), 3);
}

TEST_F(past_of_a_group, knows_whom_people_trust) {
    database.execute(
        "insert into postrider.spam_member (chat_id, user_id, approved_at, approved_by) values "
        "(-100, 8, postrider.now(), 'user:1')"
    );
    EXPECT_EQ(replayed({"--set", "links.weight=1000"}).at("judged").as_int64(), 1);
}

// Also where the event is gone, which said so.
TEST_F(past_of_a_group, is_judged_without_its_anonymous_administrators) {
    database.execute(
        "update postrider.message set sender_chat_id = chat_id where telegram_message_id = 2"
    );
    EXPECT_EQ(replayed({"--set", "links.weight=1000"}).at("judged").as_int64(), 1);
    database.execute(
        "update postrider.message set sender_chat_id = -300 where telegram_message_id = 2"
    );
    EXPECT_EQ(replayed({"--set", "links.weight=1000"}).at("judged").as_int64(), 2);
}

TEST_F(past_of_a_group, is_not_replayed_with_what_cannot_be) {
    std::vector<std::vector<std::string>> const mistakes{
        {"--set", "link.weight=1"},
        {"--set", "links.weight=-1"},
        {"--set", "links.weight"},
        {"--since", "soon"},
        {"--since", "0s"},
        {"--until-approved", "0"}};
    for (auto const& wrong : mistakes) {
        auto words = wrong;
        words.insert(words.begin(), {"spam", "replay"});
        auto const result = run_with(words);
        EXPECT_NE(result.code, 0) << wrong.back();
        EXPECT_EQ(result.out, "") << wrong.back();
    }
}

} // namespace
} // namespace postrider::cli::spam_test
