// The node that acts on spam: what it does for which settings, and that none of it is done twice or lost.
// covers: X.09 S4.01
#include "base/json/json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::spam_act_node_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr chat_id group{-100};
constexpr chat_id admins{-200};

std::string acting(json::object parameters) {
    return flow_builder("guard")
        .trigger("In", "telegram.group")
        .node(
            "Judge",
            "set",
            {{"fields",
              {{"verdict",
                {{"spam", true}, {"points", 130}, {"threshold", 100}, {"reason", "Spam: links"}}}}}}
        )
        .node("Act", "spam.act", std::move(parameters))
        .text();
}

// A message of Eve, user 7, in the group.
flow::execution_input caught_input(
    agent::group_message message = {}, agent::group_event event = agent::group_event::message
) {
    message.sender.user = user_id{7};
    message.sender.name = "Eve";
    message.text = "earn money";
    flow::execution_input input;
    input.flow = "guard";
    input.version = 1;
    input.heard = flow::heard_message{{bot_id{1}, group}, user_id{7}, telegram_message_id{50}};
    input.heard->seen = event_json(event, message);
    return input;
}

// Its database answers what it is told.
struct guarded_group : flow_world {
    explicit guarded_group(json::object parameters) : flow_world(acting(std::move(parameters))) {
        table.others = [this](storage::write const& question) { return answer(question); };
    }

    std::optional<storage::rows> answer(storage::write const& question) {
        if (question.statement->name == "catch_record") looked_for = question.row;
        if (question.statement->name == "catch_record")
            return storage::rows{storage::row{
                {"0",
                 std::to_string(strikes),
                 is_caught ? "t" : "f",
                 is_of_album ? "t" : "f",
                 is_told ? "t" : "f",
                 is_banned ? "t" : "f"}}};
        bool const is_of_parts = question.statement->name == "album_parts";
        if (!is_of_parts && question.statement->name != "author_messages") return std::nullopt;
        storage::rows numbers;
        for (auto const number : is_of_parts ? parts : written)
            numbers.push_back(storage::row{{"0", std::to_string(number)}});
        return numbers;
    }

    // Of the statement's rows, as they were committed.
    std::vector<json::value> rows(std::string_view statement) const {
        std::vector<json::value> rows;
        for (auto const& write : record.writes)
            if (write.statement->name == statement)
                rows.push_back(base::parse_json(write.row).value());
        return rows;
    }

    json::value caught_item() const {
        return passed_on.at("Act").at("main").at(0).json.at("catch");
    }

    template<class Act>
    std::vector<Act> acts() const {
        std::vector<Act> acts;
        for (auto const& [place, act] : chat.moderated)
            if (auto const* of_kind = std::get_if<Act>(&act)) acts.push_back(*of_kind);
        return acts;
    }

    int strikes = 0;
    std::string looked_for;
    bool is_caught = false;
    bool is_of_album = false;
    bool is_told = false;
    bool is_banned = false;
    std::vector<std::int64_t> written; // by the author
    std::vector<std::int64_t> parts;   // of the message's album
};

TEST(spam_act, does_by_default_nothing_but_tell) {
    guarded_group w({{"admin_chat", base::raw(admins)}});
    auto const outcome = w.run(caught_input());

    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_THAT(w.chat.moderated, IsEmpty());
    EXPECT_THAT(w.rows("mark_removed"), IsEmpty());
    ASSERT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_EQ(w.chat.sent[0].to.chat, admins);
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("dry run"));
    EXPECT_EQ(w.rows("record_catches").at(0).at("is_strike"), false);
    EXPECT_THAT(w.looked_for, HasSubstr(R"("acts":false)"));
}

TEST(spam_act, deletes_and_hides_the_message_from_models) {
    guarded_group w({{"action", "delete"}});
    auto const outcome = w.run(caught_input());

    ASSERT_THAT(w.chat.moderated, SizeIs(1));
    auto const gone = w.acts<agent::remove_messages>().at(0).messages;
    EXPECT_THAT(gone, ElementsAre(telegram_message_id{50}));
    EXPECT_THAT(w.rows("mark_removed"), SizeIs(1));
    EXPECT_THAT(w.chat.sent, IsEmpty());
    auto const done = w.caught_item();
    EXPECT_EQ(done.at("action"), "delete");
    EXPECT_EQ(done.at("strikes"), 1);
    EXPECT_EQ(done.at("deleted"), true);
    auto const row = w.rows("record_catches")[0];
    EXPECT_EQ(row.at("verdict").at("points"), 130);
    EXPECT_EQ(row.at("content"), "earn money");
    EXPECT_EQ(row.at("is_strike"), true);
    EXPECT_THAT(w.looked_for, HasSubstr(R"("acts":true)")) << "of a dry run it is caught anew";
}

TEST(spam_act, restricts_for_a_while) {
    guarded_group w({{"action", "restrict"}, {"restrict_for", "90min"}});
    w.run(caught_input());

    auto const act = w.acts<agent::restrict_member>().at(0);
    EXPECT_FALSE(act.may_send);
    EXPECT_EQ(act.until, w.clock.now() + std::chrono::minutes{90});
    EXPECT_THAT(w.rows("ban_members"), IsEmpty());
}

TEST(spam_act, bans_and_keeps_who_is_banned) {
    guarded_group w({{"action", "ban"}});
    w.run(caught_input());

    EXPECT_EQ(w.acts<agent::ban_member>().at(0).user, user_id{7});
    EXPECT_EQ(w.rows("ban_members").at(0).at("whose"), "filter");
}

TEST(spam_act, counts_strikes_before_it_bans) {
    struct sample {
        int strikes_before;
        bool is_caught;
        bool bans;
        int strikes;
    };
    for (auto const& [before, is_caught, bans, strikes] : std::vector<sample>{
             {0, false, false, 1},
             {1, false, false, 2},
             {2, false, true, 3},
             {2, true, false, 2}, // its own strike is one of the two
             {3, true, true, 3}}) {
        guarded_group w({{"action", "ban"}, {"strikes", 3}});
        w.strikes = before;
        w.is_caught = is_caught;
        auto const outcome = w.run(caught_input());
        SCOPED_TRACE(before);
        EXPECT_THAT(w.acts<agent::ban_member>(), SizeIs(bans ? 1 : 0));
        EXPECT_THAT(w.acts<agent::remove_messages>(), SizeIs(1));
        EXPECT_EQ(w.caught_item().at("strikes"), strikes);
        EXPECT_EQ(w.rows("record_catches")[0].at("is_strike"), !is_caught);
    }
}

TEST(spam_act, bans_a_channel_as_a_chat_also_for_a_restriction) {
    for (std::string_view const action : {"ban", "restrict"}) {
        agent::group_message message;
        message.sender.kind = agent::sender_kind::channel;
        message.sender.chat = chat_id{-8};
        guarded_group w({{"action", action}});
        w.run(caught_input(message));
        ASSERT_THAT(w.acts<agent::ban_sender_chat>(), SizeIs(1)) << action;
        EXPECT_EQ(w.acts<agent::ban_sender_chat>()[0].chat, chat_id{-8});
        EXPECT_EQ(w.rows("ban_members")[0].at("user_id"), -8);
    }
}

TEST(spam_act, touches_neither_the_linked_channel_nor_an_anonymous_administrator) {
    for (auto const kind :
         {agent::sender_kind::anonymous_admin, agent::sender_kind::linked_channel}) {
        agent::group_message message;
        message.sender.kind = kind;
        message.sender.chat = group;
        guarded_group w({{"action", "ban"}});
        w.run(caught_input(message));
        EXPECT_THAT(w.chat.moderated, IsEmpty());
    }
}

TEST(spam_act, leaves_the_message_of_a_reaction_alone) {
    guarded_group w({{"action", "ban"}});
    auto input = caught_input();
    agent::reaction_change reaction;
    reaction.message = telegram_message_id{50};
    reaction.person = {user_id{7}, "Eve"};
    input.heard->seen = event_json(reaction);
    w.run(input);

    EXPECT_THAT(w.acts<agent::remove_messages>(), IsEmpty());
    EXPECT_THAT(w.acts<agent::ban_member>(), SizeIs(1));
    EXPECT_THAT(w.rows("mark_removed"), IsEmpty());
}

TEST(spam_act, takes_an_album_for_one_catch) {
    agent::group_message message;
    message.album = "13";
    guarded_group w({{"action", "ban"}, {"notice", "Gone."}, {"admin_chat", base::raw(admins)}});
    w.strikes = 1;
    w.is_of_album = true;
    w.run(caught_input(message));

    EXPECT_THAT(w.acts<agent::remove_messages>(), SizeIs(1)) << "every part goes";
    EXPECT_THAT(w.chat.sent, IsEmpty());
    EXPECT_EQ(w.rows("record_catches")[0].at("is_strike"), false);
    EXPECT_EQ(w.rows("record_catches")[0].at("album"), "13");
}

TEST(spam_act, takes_away_an_album_as_a_whole) {
    agent::group_message message;
    message.album = "13";
    guarded_group w({{"action", "delete"}});
    w.parts = {48, 49, 50, 51};
    w.run(caught_input(message));

    ASSERT_THAT(w.acts<agent::remove_messages>(), SizeIs(1));
    EXPECT_THAT(
        w.acts<agent::remove_messages>()[0].messages,
        ElementsAre(
            telegram_message_id{50},
            telegram_message_id{48},
            telegram_message_id{49},
            telegram_message_id{51}
        )
    );
    EXPECT_EQ(w.rows("mark_removed")[0].at("numbers").as_array().size(), 4u);
}

TEST(spam_act, only_deletes_what_was_on_its_way_when_its_author_was_banned) {
    guarded_group w({{"action", "ban"}, {"notice", "Gone."}, {"admin_chat", base::raw(admins)}});
    w.strikes = 1;
    w.is_banned = true;
    w.run(caught_input());

    EXPECT_THAT(w.acts<agent::remove_messages>(), SizeIs(1));
    EXPECT_THAT(w.chat.moderated, SizeIs(1));
    EXPECT_THAT(w.chat.sent, IsEmpty());
    EXPECT_THAT(w.rows("ban_members"), IsEmpty());
}

TEST(spam_act, cleans_up_behind_a_ban) {
    guarded_group w({{"action", "ban"}, {"clean_up", true}, {"admin_chat", base::raw(admins)}});
    w.written = {48, 49, 50};
    auto const outcome = w.run(caught_input());

    auto const removals = w.acts<agent::remove_messages>();
    ASSERT_THAT(removals, SizeIs(2));
    EXPECT_THAT(
        removals[1].messages, ElementsAre(telegram_message_id{48}, telegram_message_id{49})
    );
    EXPECT_THAT(w.rows("mark_removed"), SizeIs(2));
    EXPECT_EQ(w.caught_item().at("cleaned"), 2);
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("Other messages deleted: 2"));
}

TEST(spam_act, does_not_clean_up_below_the_strikes) {
    guarded_group w({{"action", "ban"}, {"strikes", 2}, {"clean_up", true}});
    w.written = {48};
    w.run(caught_input());

    EXPECT_THAT(w.acts<agent::remove_messages>(), SizeIs(1));
}

TEST(spam_act, posts_a_notice_that_goes_again) {
    guarded_group w({{"action", "delete"}, {"notice", "No spam."}, {"notice_for", "1min"}});
    w.run(caught_input());

    ASSERT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_EQ(w.chat.sent[0].to.chat, group);
    EXPECT_EQ(w.chat.sent[0].content.text, "No spam.");
    std::vector<json::value> later;
    for (auto const& write : w.record.writes)
        if (write.row.find("message_removal") != write.row.npos)
            later.push_back(base::parse_json(write.row).value());
    ASSERT_THAT(later, SizeIs(1));
    EXPECT_EQ(later[0].at("input").at("message"), 1001);
}

TEST(spam_act, tells_the_admin_chat_once) {
    guarded_group w({{"action", "delete"}, {"admin_chat", base::raw(admins)}});
    w.is_caught = true;
    w.is_told = true; // in an earlier life of the job
    w.run(caught_input());

    EXPECT_THAT(w.chat.sent, IsEmpty());
}

TEST(spam_act, keeps_what_it_quotes_from_models) {
    guarded_group w({{"action", "ban"}, {"admin_chat", base::raw(admins)}});
    w.run(caught_input());

    auto const rows = w.table.in_order();
    ASSERT_THAT(rows, SizeIs(1));
    EXPECT_EQ(rows[0].at("for_people"), true);
    ASSERT_THAT(w.rows("note_admin_messages"), SizeIs(1));
    EXPECT_EQ(w.rows("note_admin_messages")[0].at("admin_message_id"), 1001);
}

TEST(spam_act, reports_what_telegram_refuses_and_goes_on) {
    guarded_group w({{"action", "ban"}, {"admin_chat", base::raw(admins)}});
    w.chat.moderation_failures = {
        base::error(base::errc::refused, "message can't be deleted"),
        base::error(base::errc::refused, "not enough rights")};
    auto const outcome = w.run(caught_input());

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    ASSERT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.degraded->reason, "node_failed");
    EXPECT_THAT(w.rows("ban_members"), IsEmpty()) << "nobody is banned";
    EXPECT_THAT(w.rows("mark_removed"), SizeIs(1)) << "models do not read it all the same";
    ASSERT_THAT(w.chat.sent, SizeIs(1));
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("Not deleted"));
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("not enough rights"));
    EXPECT_EQ(w.caught_item().at("deleted"), false);
    EXPECT_THAT(json::serialize(w.caught_item().at("error")), HasSubstr("can't be deleted"));
}

TEST(spam_act, completes_where_the_admin_chat_cannot_be_reached) {
    guarded_group w({{"action", "delete"}, {"admin_chat", base::raw(admins)}});
    w.chat.failures = {base::error(base::errc::refused, "bot was kicked")};
    auto const outcome = w.run(caught_input());

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_TRUE(outcome.degraded);
    EXPECT_THAT(w.acts<agent::remove_messages>(), SizeIs(1));
    EXPECT_THAT(w.rows("note_admin_messages"), IsEmpty());
}

TEST(spam_act, is_done_once_wherever_the_process_dies) {
    json::object const parameters{
        {"action", "ban"},
        {"clean_up", true},
        {"notice", "No spam."},
        {"admin_chat", base::raw(admins)}};
    int deaths = 0;
    for (int commit = 1;; ++commit) {
        guarded_group w(parameters);
        w.written = {48};
        w.job.input = to_json(caught_input());
        bool const died = w.run_and_die(commit);
        if (!died) break;
        ++deaths;
        SCOPED_TRACE(commit);
        w.is_caught = !w.rows("record_catches").empty(); // what the database would say by now
        w.strikes = w.is_caught ? 1 : 0;
        auto const outcome = w.run();
        EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
        EXPECT_THAT(w.rows("record_catches"), SizeIs(1));
        EXPECT_THAT(w.rows("ban_members"), SizeIs(1));
        EXPECT_THAT(w.rows("note_admin_messages"), SizeIs(1));
        EXPECT_THAT(w.rows("mark_removed"), SizeIs(2));
        EXPECT_THAT(w.acts<agent::ban_member>(), Not(IsEmpty()));
        EXPECT_EQ(w.caught_item().at("strikes"), 1);
    }
    EXPECT_GE(deaths, 4);
}

TEST(spam_act, does_nothing_in_a_silent_execution) {
    guarded_group w({{"action", "ban"}, {"notice", "Gone."}, {"admin_chat", base::raw(admins)}});
    auto input = caught_input();
    input.silent = true;
    auto const outcome = w.run(input);

    EXPECT_THAT(w.chat.moderated, IsEmpty());
    EXPECT_THAT(w.chat.sent, IsEmpty());
    EXPECT_THAT(w.rows("record_catches"), IsEmpty());
    EXPECT_THAT(flow_world::ended(outcome), HasSubstr("withheld"));
}

} // namespace
} // namespace postrider::tests::spam_act_node_test
