// The node that obeys administrators: whose word counts, and what it comes to.
// covers: X.09 S4.17
#include "base/json/json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::spam_command_node_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr chat_id group{-100};
constexpr chat_id admins{-200};
constexpr user_id ada{5}; // who commands
constexpr user_id eve{7};

std::string obeying(json::object parameters) {
    return flow_builder("guard")
        .trigger("In", "telegram.group")
        .node("Obey", "spam.command", std::move(parameters))
        .text();
}

// Ada replies to Eve's message 50 by message 60.
struct obedient_group : flow_world {
    explicit obedient_group(json::object parameters = {})
        : flow_world(obeying(std::move(parameters))) {
        table.others = [this](storage::write const& question) { return answer(question); };
        make_admin(agent::member_standing::administrator, true);
    }

    void make_admin(agent::member_standing standing, bool may_restrict) {
        agent::chat_member member;
        member.user = ada;
        member.standing = standing;
        member.may_restrict = may_restrict;
        chat.members[ada] = member;
    }

    std::optional<storage::rows> answer(storage::write const& question) {
        auto const name = question.statement->name;
        if (name == "catch_record") looked_for = question.row;
        if (!is_archived && (name == "spoken_message" || name == "forwarded_message"))
            return storage::rows{};
        if (name == "forwarded_message") return storage::rows{storage::row{{"0", "-100", "50"}}};
        if (name == "spoken_message")
            return storage::rows{storage::row{
                {"0",
                 "-100",
                 "50",
                 "7",
                 std::nullopt,
                 "Eve",
                 "earn money",
                 "f",
                 album,
                 is_own_voice ? "t" : "f"}}};
        if (name == "album_parts")
            return storage::rows{
                storage::row{{"0", std::optional<std::string>("49")}},
                storage::row{{"0", std::optional<std::string>("50")}}};
        if (name == "read_catch")
            return is_caught ? storage::rows{storage::row{
                                   {"0",
                                    "-100",
                                    "50",
                                    "7",
                                    "1",
                                    std::nullopt,
                                    "Eve",
                                    "",
                                    "dry_run",
                                    "0",
                                    R"({"points": 130, "threshold": 100, "reason": "Spam"})",
                                    "earn money",
                                    "filter",
                                    std::nullopt,
                                    "-200",
                                    "900"}}}
                             : storage::rows{};
        if (name == "catch_record")
            return storage::rows{storage::row{{"0", std::to_string(strikes), "f", "f", "f", "f"}}};
        if (name == "report_state")
            return storage::rows{
                storage::row{{"0", is_approved ? "t" : "f", "f", std::to_string(reports)}}};
        if (name == "read_archive" || name == "author_messages") return storage::rows{};
        return std::nullopt;
    }

    queue::outcome say(std::string text, chat_id where = group) {
        agent::group_message message;
        message.sender.user = ada;
        message.sender.name = "Ada";
        message.text = std::move(text);
        if (forward)
            message.forward = *forward;
        else
            message.reply = agent::inside_reply{telegram_message_id{50}, eve, "Eve", "earn"};
        flow::execution_input input;
        input.flow = "guard";
        input.version = 1;
        input.heard = flow::heard_message{{bot_id{1}, where}, ada, telegram_message_id{60}};
        input.heard->seen = event_json(agent::group_event::message, message);
        auto outcome = run(input);
        EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
        // What answers a message in a chat ends without items.
        json::array ended;
        for (auto const& [port, passed] : passed_on.at("Obey"))
            for (auto const& item : passed) ended.push_back(item.json.get());
        outcome.output.as_object()["items"] = std::move(ended);
        return outcome;
    }

    std::vector<json::value> rows(std::string_view statement) const {
        std::vector<json::value> rows;
        for (auto const& write : record.writes)
            if (write.statement->name == statement)
                rows.push_back(base::parse_json(write.row).value());
        return rows;
    }
    std::vector<std::string> operations() const {
        std::vector<std::string> operations;
        for (auto const& [place, act] : chat.moderated)
            operations.emplace_back(to_json(act).at("operation").as_string());
        return operations;
    }

    std::string looked_for; // of the record of the author
    bool is_archived = true;
    bool is_own_voice = false;
    std::string album;
    bool is_caught = false;
    bool is_approved = false;
    int strikes = 0;
    int reports = 0;
    std::optional<storage::message_forward> forward;
};

std::string word_of(queue::outcome const& outcome) {
    return std::string(outcome.output.at("items").at(0).at("command").at("word").as_string());
}

TEST(spam_command, deletes_bans_and_teaches_without_an_admin_chat) {
    obedient_group w;
    auto const outcome = w.say("/spam");

    EXPECT_EQ(word_of(outcome), "spam");
    EXPECT_THAT(w.operations(), ElementsAre("delete", "delete", "ban")) << "the command goes, too";
    EXPECT_EQ(std::get<agent::ban_member>(w.chat.moderated[2].second).user, eve);
    ASSERT_THAT(w.rows("train_samples"), SizeIs(1));
    EXPECT_EQ(w.rows("train_samples")[0].at("kind"), "spam");
    EXPECT_EQ(w.rows("train_samples")[0].at("whose"), "user:5");
    EXPECT_EQ(w.rows("withdraw_texts")[0].at("kind"), "ham");
    ASSERT_THAT(w.rows("ban_members"), SizeIs(1));
    EXPECT_EQ(w.rows("ban_members")[0].at("whose"), "user:5");
    EXPECT_EQ(w.rows("record_catches")[0].at("whose"), "user:5");
    EXPECT_EQ(w.rows("record_catches")[0].at("content"), "earn money");
}

TEST(spam_command, shows_what_a_training_would_change_before_it_is_confirmed) {
    obedient_group w({{"admin_chat", base::raw(admins)}});
    w.say("/spam");

    EXPECT_THAT(w.rows("train_samples"), IsEmpty());
    ASSERT_THAT(w.chat.sent, SizeIs(2));
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("the author is banned"));
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("By the word of user:5"));
    EXPECT_THAT(w.chat.sent[1].content.text, HasSubstr("Teach the filter that this is spam?"));
    EXPECT_THAT(w.chat.sent[1].content.text, HasSubstr("Its points:"));
    EXPECT_THAT(w.chat.sent[1].content.buttons.at(0), SizeIs(2));
    EXPECT_THAT(w.rows("note_admin_messages"), SizeIs(1));
}

TEST(spam_command, bans_without_a_lesson) {
    obedient_group w;
    EXPECT_EQ(word_of(w.say("/ban")), "ban");

    EXPECT_THAT(w.operations(), ElementsAre("delete", "delete", "ban"));
    EXPECT_THAT(w.rows("train_samples"), IsEmpty());
}

// No part of it was caught before.
TEST(spam_command, takes_away_an_album_as_a_whole) {
    for (auto const* word : {"/spam", "/ban", "/warn"}) {
        obedient_group w;
        w.album = "13";
        w.say(word);

        ASSERT_GE(w.chat.moderated.size(), 2u) << word;
        EXPECT_THAT(
            std::get<agent::remove_messages>(w.chat.moderated.at(1).second).messages,
            ElementsAre(telegram_message_id{50}, telegram_message_id{49})
        ) << word;
        EXPECT_EQ(w.rows("record_catches").at(0).at("album"), "13")
            << "parts that come later go, too";
    }
}

TEST(spam_command, touches_neither_the_linked_channel_nor_an_anonymous_administrator) {
    for (auto const* word : {"/spam", "/ham", "/ban", "/warn"}) {
        obedient_group w;
        w.is_own_voice = true;
        auto const outcome = w.say(word);

        EXPECT_THAT(w.chat.moderated, IsEmpty()) << word;
        EXPECT_THAT(w.rows("record_catches"), IsEmpty());
        EXPECT_THAT(w.rows("train_samples"), IsEmpty());
        EXPECT_THAT(flow_world::ended(outcome), HasSubstr("nobody moderates")) << word;
    }
    obedient_group w({{"admin_chat", base::raw(admins)}, {"reports", 1}});
    w.is_own_voice = true;
    w.is_approved = true;
    w.say("/report");
    EXPECT_THAT(w.rows("report_spam"), IsEmpty());
    EXPECT_THAT(w.chat.sent, IsEmpty());
}

TEST(spam_command, approves_and_teaches_ham) {
    obedient_group w;
    EXPECT_EQ(word_of(w.say("/ham")), "ham");

    EXPECT_THAT(w.operations(), ElementsAre("delete"));
    ASSERT_THAT(w.rows("approve_members"), SizeIs(1));
    EXPECT_EQ(w.rows("approve_members")[0].at("user_id"), 7);
    EXPECT_EQ(w.rows("train_samples")[0].at("kind"), "ham");
}

TEST(spam_command, undoes_a_catch_by_ham) {
    obedient_group w({{"admin_chat", base::raw(admins)}});
    w.is_caught = true;
    w.say("/ham");

    EXPECT_THAT(w.operations(), ElementsAre("delete", "unban"));
    EXPECT_THAT(w.rows("unban_members"), SizeIs(1));
    EXPECT_THAT(w.rows("undo_catches"), SizeIs(1));
    EXPECT_EQ(w.rows("train_samples")[0].at("origin"), "unban");
    EXPECT_THAT(w.chat.sent, IsEmpty()) << "nothing is left to ask";
}

TEST(spam_command, warns_until_it_bans) {
    obedient_group w({{"warnings", 2}});
    EXPECT_EQ(word_of(w.say("/warn")), "warn");
    EXPECT_THAT(w.operations(), ElementsAre("delete", "delete"));
    EXPECT_EQ(w.rows("record_catches")[0].at("is_strike"), true);
    EXPECT_THAT(w.looked_for, HasSubstr(R"("acts":true)")) << "a warning of what a dry run caught";
    ASSERT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("Eve: warning 1 of 2"));

    obedient_group second({{"warnings", 2}});
    second.strikes = 1;
    second.say("/warn");
    EXPECT_THAT(second.operations(), ElementsAre("delete", "delete", "ban"));
}

TEST(spam_command, passes_on_what_nobody_may_command) {
    struct sample {
        agent::member_standing standing;
        bool may_restrict;
    };
    for (auto const& [standing, may_restrict] : std::vector<sample>{
             {agent::member_standing::member, true},
             {agent::member_standing::restricted, false},
             {agent::member_standing::administrator, false}}) {
        obedient_group w;
        w.make_admin(standing, may_restrict);
        auto const outcome = w.say("/spam");
        EXPECT_THAT(w.chat.moderated, IsEmpty());
        EXPECT_THAT(w.rows("record_catches"), IsEmpty());
        EXPECT_THAT(flow_world::ended(outcome), HasSubstr("/spam"));
        EXPECT_FALSE(outcome.output.at("items").at(0).as_object().contains("command"));
    }
    obedient_group w;
    w.chat.members.clear();
    w.say("/ban");
    EXPECT_THAT(w.chat.moderated, IsEmpty());
}

TEST(spam_command, takes_the_word_of_an_owner_of_the_bot) {
    obedient_group w;
    w.chat.members.clear();
    w.adjust = [](flow::node_services& services) {
        services.is_owner = [](bot_id bot, user_id user) {
            return bot == bot_id{1} && user == ada;
        };
    };
    EXPECT_EQ(word_of(w.say("/ban")), "ban");
}

TEST(spam_command, passes_on_every_other_message) {
    obedient_group w;
    auto const outcome = w.say("hello all");

    EXPECT_THAT(flow_world::ended(outcome), HasSubstr("hello all"));
    EXPECT_THAT(w.rows("record_catches"), IsEmpty());
}

TEST(spam_command, tells_the_admin_chat_when_enough_members_report) {
    json::object const parameters{{"admin_chat", base::raw(admins)}, {"reports", 2}};
    obedient_group w(parameters);
    w.make_admin(agent::member_standing::member, false);
    w.is_approved = true;
    EXPECT_EQ(word_of(w.say("/report")), "report");
    EXPECT_THAT(w.rows("report_spam"), SizeIs(1));
    EXPECT_THAT(w.chat.sent, IsEmpty());

    obedient_group enough(parameters);
    enough.is_approved = true;
    enough.reports = 1;
    enough.say("/report");
    ASSERT_THAT(enough.chat.sent, SizeIs(1));
    EXPECT_THAT(enough.chat.sent[0].content.text, HasSubstr("Members report a message from Eve"));
    EXPECT_THAT(enough.operations(), ElementsAre("delete")) << "the command alone";
}

TEST(spam_command, passes_on_reports_of_strangers_and_where_they_are_off) {
    obedient_group stranger;
    stranger.say("/report");
    EXPECT_THAT(stranger.rows("report_spam"), IsEmpty());

    obedient_group off({{"reports", 0}});
    off.is_approved = true;
    off.say("/report");
    EXPECT_THAT(off.rows("report_spam"), IsEmpty());
}

TEST(spam_command, takes_a_forward_to_the_admin_chat_for_spam) {
    obedient_group w({{"admin_chat", base::raw(admins)}});
    w.forward = storage::message_forward{.kind = "user", .id = 7, .name = "Eve"};
    auto const outcome = w.say("earn money", admins);

    EXPECT_EQ(word_of(outcome), "spam");
    EXPECT_THAT(w.operations(), ElementsAre("delete", "ban"));
    ASSERT_THAT(w.chat.moderated, SizeIs(2));
    EXPECT_EQ(w.chat.moderated[0].first, group);
    EXPECT_THAT(w.chat.sent, SizeIs(2));
}

TEST(spam_command, keeps_what_is_said_in_the_admin_chat_there) {
    obedient_group w({{"admin_chat", base::raw(admins)}});
    w.say("what is this?", admins);
    EXPECT_THAT(w.chat.moderated, IsEmpty());

    obedient_group unknown({{"admin_chat", base::raw(admins)}});
    unknown.is_archived = false;
    unknown.forward = storage::message_forward{.kind = "hidden_user", .id = {}, .name = "Eve"};
    unknown.say("earn money", admins);
    EXPECT_THAT(unknown.chat.moderated, IsEmpty());

    obedient_group nobody({{"admin_chat", base::raw(admins)}});
    nobody.make_admin(agent::member_standing::member, false);
    nobody.forward = storage::message_forward{.kind = "user", .id = 7, .name = "Eve"};
    nobody.say("earn money", admins);
    EXPECT_THAT(nobody.chat.moderated, IsEmpty());
}

TEST(spam_command, reports_what_telegram_refuses) {
    obedient_group w;
    w.chat.moderation_failures = {
        base::error(base::errc::refused, "message can't be deleted"),
        base::error(base::errc::refused, "message can't be deleted"),
        base::error(base::errc::refused, "user is an administrator")};
    auto const outcome = w.say("/ban");

    EXPECT_THAT(w.rows("ban_members"), IsEmpty());
    EXPECT_TRUE(outcome.degraded);
    EXPECT_THAT(flow_world::ended(outcome), HasSubstr("can't be deleted"));
}

TEST(spam_command, does_nothing_in_a_silent_execution) {
    obedient_group w;
    agent::group_message message;
    message.sender.user = ada;
    message.text = "/ban";
    message.reply = agent::inside_reply{telegram_message_id{50}, eve, "Eve", "earn"};
    flow::execution_input input;
    input.flow = "guard";
    input.version = 1;
    input.heard = flow::heard_message{{bot_id{1}, group}, ada, telegram_message_id{60}};
    input.heard->seen = event_json(agent::group_event::message, message);
    input.silent = true;
    w.run(input);

    EXPECT_THAT(w.chat.moderated, IsEmpty());
}

} // namespace
} // namespace postrider::tests::spam_command_node_test
