// Words that begin with '/', and the turns that answer them.
#include "agent/language/command.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::command_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::string const& in_english(agent::command::text said) {
    return agent::language::notices_in("en").*said;
}

TEST(command, is_the_first_word_without_the_bots_name) {
    EXPECT_EQ(agent::command_of("/new"), "/new");
    EXPECT_EQ(agent::command_of("/new@fern_bot"), "/new");
    EXPECT_EQ(agent::command_of("/new please"), "/new");
    EXPECT_EQ(agent::command_of("/new\r\nplease"), "/new");
    EXPECT_EQ(agent::command_of("/NEW@Fern_Bot please"), "/new");
    EXPECT_EQ(agent::command_of("/Daily_Report"), "/daily_report");
    EXPECT_EQ(agent::command_of("new"), "");
    EXPECT_EQ(agent::command_of(""), "");
}

TEST(command, has_an_argument_behind_it) {
    EXPECT_EQ(agent::argument_of("/settings"), "");
    EXPECT_EQ(agent::argument_of("/settings  "), "");
    EXPECT_EQ(agent::argument_of("/settings@fern_bot  timezone\n Berlin \n"), "timezone\n Berlin");
    EXPECT_EQ(agent::argument_of("/settings " + std::string(300, 'x')).size(), 200u);
}

TEST(command, is_found_by_its_whole_name) {
    ASSERT_NE(agent::find_command("/new"), nullptr);
    EXPECT_TRUE(agent::find_command("/new")->opens_conversation);
    for (auto const* name : {"", "/", "/ne", "/news", "/New"})
        EXPECT_EQ(agent::find_command(name), nullptr) << name;
}

TEST(command, names_are_words_that_telegram_takes_for_commands) {
    for (auto const& command : agent::commands()) {
        EXPECT_EQ(agent::command_of(command.name), command.name);
        EXPECT_TRUE(command.reply);
        EXPECT_TRUE(command.description);
    }
}

struct command_world : turn_world {
    command_world() {
        job.input.as_object()["command"] = "/new";
        job.input.as_object()["trigger"] = "message";
    }

    std::string const reply = in_english(agent::find_command("/new")->reply);
};

// covers: S0.14
TEST(command_turn, says_what_was_done_and_asks_no_model) {
    command_world world;

    auto const outcome = world.run();

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_THAT(world.model.requests, IsEmpty());
    EXPECT_THAT(world.log, ElementsAre("commit", "effect send", "commit"));
    ASSERT_THAT(world.chat.sent, SizeIs(1));
    EXPECT_EQ(world.chat.sent[0].content.text, world.reply);
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(world.reply));
    EXPECT_EQ(world.last_row().at("delivery"), "sent");
    EXPECT_EQ(world.last_row().at("telegram_message_id"), 1001);
    EXPECT_EQ(outcome.output.at("command"), "/new");
}

TEST(command_turn, tells_a_group_which_message_it_answers) {
    command_world world;
    world.job.input.as_object()["chat"] = -100;

    world.run();

    ASSERT_THAT(world.chat.sent, SizeIs(1));
    EXPECT_EQ(world.chat.sent[0].reply_to, telegram_message_id{50});
    EXPECT_EQ(world.last_row().at("reply_to"), 50);
}

TEST(command_turn, that_died_behind_its_intent_says_it_once_in_the_conversation) {
    command_world world;
    world.run_and_die(2);

    auto const outcome = world.run();

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(world.reply));
    EXPECT_THAT(world.record.effects, SizeIs(1));
}

TEST(command_turn, that_cannot_be_answered_is_over_all_the_same) {
    command_world world;
    world.chat.failures.assign(1, base::error(base::errc::refused, "blocked"));

    auto const outcome = world.run();

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    ASSERT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.degraded->error, base::errc::refused);
    EXPECT_EQ(world.last_row().at("delivery"), "failed");
}

TEST(command_turn, that_only_says_what_it_cannot_do_is_degraded) {
    struct row {
        std::string_view command, reason;
    };
    for (auto const& [command, reason] :
         {row{"(unread)", "unread_message"}, row{"/usage", "command_failed"}}) {
        command_world world;
        world.job.input.as_object()["command"] = command;
        world.table.failures.assign(9, base::error(base::errc::unavailable));

        auto const outcome = world.run();

        EXPECT_THAT(world.chat.sent, SizeIs(1)) << command;
        ASSERT_TRUE(outcome.degraded) << command;
        EXPECT_EQ(outcome.degraded->reason, reason);
    }
}

TEST(command_turn, of_help_says_what_the_flow_does_and_which_commands_there_are) {
    for (auto const* name : {"/start", "/help"}) {
        command_world world;
        world.job.input.as_object()["command"] = name;

        EXPECT_EQ(world.run().state, queue::job_state::completed);
        EXPECT_THAT(world.model.requests, IsEmpty());
        ASSERT_THAT(world.texts_of("assistant"), SizeIs(1));
        auto const text = world.texts_of("assistant").front();
        EXPECT_THAT(text, StartsWith("I am your assistant.")) << "the shipped flow's own words";
        EXPECT_THAT(text, HasSubstr("\n/new: Begin a new conversation\n"));
    }
}

TEST(command_turn, of_help_says_nothing_of_a_flow_that_takes_no_message_of_the_chat) {
    command_world world;
    world.job.input.as_object()["command"] = "/help";
    world.job.input.as_object().erase("trigger");

    EXPECT_EQ(world.run().state, queue::job_state::completed);
    EXPECT_THAT(
        world.texts_of("assistant"),
        ElementsAre(StartsWith(in_english(agent::find_command("/help")->reply)))
    );
}

TEST(command_turn, of_a_message_that_cannot_be_read_says_what_is_understood) {
    command_world world;
    world.job.input.as_object()["command"] = agent::unread_message.name;

    EXPECT_EQ(world.run().state, queue::job_state::completed);
    EXPECT_THAT(world.model.requests, IsEmpty());
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(HasSubstr("text and pictures")));
}

TEST(command_turn, of_a_silent_fork_says_nothing) {
    command_world world;
    world.job.input.as_object()["silent"] = true;

    EXPECT_EQ(world.run().state, queue::job_state::completed);
    EXPECT_THAT(world.chat.sent, IsEmpty());
    EXPECT_THAT(world.texts_of("assistant"), IsEmpty());
}

TEST(command_turn, of_memory_lists_what_is_remembered_and_asks_no_model) {
    command_world world;
    world.job.input.as_object()["command"] = "/memory";
    world.table.memories = {storage::row{
        {"0", "3", "note", "The dog is called Rex.", "2026-03-01T10:00:00Z", "1000000", "[7]"}}};

    EXPECT_EQ(world.run().state, queue::job_state::completed);
    EXPECT_THAT(
        world.texts_of("assistant"),
        ElementsAre(HasSubstr("\n\n- 2026-03-01: The dog is called Rex."))
    );
    EXPECT_EQ(world.last_row().at("conversation_id").as_int64(), 0) << "no model reads it";
    EXPECT_EQ(world.record.steps.at("memory")->at("said_by").at(0), 7) << "an erasure finds it";
    EXPECT_THAT(world.model.requests, IsEmpty());
}

TEST(command_turn, of_memory_says_that_nothing_is_remembered) {
    command_world world;
    world.job.input.as_object()["command"] = "/memory";

    EXPECT_EQ(world.run().state, queue::job_state::completed);
    EXPECT_THAT(
        world.texts_of("assistant"), ElementsAre(in_english(agent::find_command("/memory")->reply))
    );
}

// covers: X.04
TEST(command_turn, of_usage_that_cannot_be_read_says_so_and_asks_no_model) {
    command_world world;
    world.job.input.as_object()["command"] = "/usage";
    world.table.failures.assign(3, base::error(base::errc::unavailable));

    EXPECT_EQ(world.run().state, queue::job_state::completed);
    EXPECT_THAT(
        world.texts_of("assistant"), ElementsAre(in_english(agent::find_command("/usage")->reply))
    );
    EXPECT_THAT(world.model.requests, IsEmpty());
}

// The job has a lane of its own: what is said is the chat's.
TEST(command_turn, beside_its_chat_answers_in_the_chats_history) {
    command_world world;
    world.job.input.as_object()["lane"] = 4711;

    world.run();

    ASSERT_THAT(world.texts_of("assistant"), ElementsAre(world.reply));
    EXPECT_EQ(world.last_row().at("lane_id"), 4711);
}

TEST(command_turn, of_stop_says_what_became_of_the_turn) {
    struct {
        char const* member;
        boost::json::value value;
        agent::command::text said;
    } const cases[]{
        {"ended", 48, agent::stop_command.ended},
        {"others", true, agent::stop_command.refused},
        {"message", 50, agent::stop_command.reply},
    };
    for (auto const& [member, value, said] : cases) {
        command_world world;
        auto& input = world.job.input.as_object();
        input["command"] = "/stop";
        input[member] = value;

        EXPECT_EQ(world.run().state, queue::job_state::completed);
        EXPECT_THAT(world.model.requests, IsEmpty());
        EXPECT_THAT(world.texts_of("assistant"), ElementsAre(in_english(said)));
    }
}

TEST(command_turn, of_a_stop_word_speaks_its_language) {
    command_world world;
    auto& input = world.job.input.as_object();
    input["command"] = "/stop";
    input["ended"] = 48;
    input["language"] = "de";

    world.run();

    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(StartsWith("Ich habe aufgehört.")));
}

// A command has no words: those before it tell, in whichever conversation.
TEST(command_turn, speaks_the_language_of_what_the_person_said_before) {
    struct {
        std::string_view command, said;
    } const cases[]{
        {"/new", "Ein neues Gespräch beginnt."},
        {"/stop", "Ich tue gerade nichts für dich."},
        {"/help", "\n/new: Ein neues Gespräch beginnen\n"},
        {"(unread)", "Ich verstehe Text und Bilder"},
    };
    for (auto const& [command, said] : cases) {
        command_world world;
        world.job.input.as_object()["command"] = command;
        bool const is_file = command.starts_with('(');
        world.table.rows.front()["content"] = is_file ? "(dice \"🎲\")" : command;
        world.table.add(
            {{"lane_id", 1},
             {"job_id", 90},
             {"conversation_id", 4},
             {"position", 0},
             {"role", "user"},
             {"content", "Was steht auf meiner Liste?"},
             {"id", "earlier"}}
        );

        EXPECT_EQ(world.run().state, queue::job_state::completed);
        EXPECT_THAT(world.texts_of("assistant"), ElementsAre(HasSubstr(said))) << command;
    }
}

TEST(command_turn, of_new_says_that_it_stopped_a_turn) {
    command_world world;
    world.job.input.as_object()["ended"] = 48;

    world.run();

    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(StartsWith("I stopped")));
}

struct lookup_world : command_world {
    explicit lookup_world(std::string_view command, std::string_view argument = "") {
        auto& input = job.input.as_object();
        input["command"] = command;
        if (!argument.empty()) input["argument"] = argument;
        table.others = [this](storage::write const& question) -> std::optional<storage::rows> {
            auto const name = question.statement->name;
            if (name == "read_person") return person;
            if (name == "waiting_approvals") return approvals;
            return std::nullopt;
        };
    }
    std::vector<std::string> written() const {
        std::vector<std::string> rows;
        for (auto const& write : record.writes)
            if (write.statement->name.starts_with("set_person")) rows.push_back(write.row);
        return rows;
    }

    storage::rows person;
    storage::rows approvals;
};

TEST(command_turn, of_settings_says_what_is_set) {
    lookup_world world("/settings");
    world.person.emplace_back(storage::row{
        std::vector<std::optional<std::string>>{"0", "Asia/Tokyo", std::nullopt}});

    EXPECT_EQ(world.run().state, queue::job_state::completed);
    EXPECT_THAT(
        world.texts_of("assistant"),
        ElementsAre(testing::AllOf(
            StartsWith("Time zone: Asia/Tokyo. It is "), HasSubstr("/settings language auto")
        ))
    );
    EXPECT_THAT(world.written(), IsEmpty());
}

TEST(command_turn, of_settings_keeps_what_is_asked_for_once) {
    lookup_world world("/settings", "language Deutsch");
    world.run_and_die(2);

    EXPECT_EQ(world.run().state, queue::job_state::completed);

    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(HasSubstr("Sprache: Deutsch.")));
    EXPECT_THAT(world.written(), ElementsAre(R"({"user_id":7,"language":"de"})"));
}

TEST(command_turn, of_approvals_lists_what_waits) {
    lookup_world none("/approvals");
    none.run();
    EXPECT_THAT(none.texts_of("assistant"), ElementsAre("Nothing waits for your approval."));

    lookup_world world("/approvals");
    auto const until =
        std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(
                           base::from_iso8601("2026-11-30T12:00:00Z").value().time_since_epoch()
        )
                           .count());
    world.approvals.emplace_back(storage::row{std::vector<std::optional<std::string>>{
        "0", "http_request", R"({"url":"https://a.example"})", until}});
    world.run();
    ASSERT_THAT(world.texts_of("assistant"), SizeIs(1));
    EXPECT_THAT(
        world.texts_of("assistant").front(),
        testing::AllOf(
            StartsWith(
                "Waiting for approval:\n\n• http_request {\"url\":\"https://a.example\"} (until "
            ),
            HasSubstr("12:00"),
            HasSubstr("yes or no")
        )
    );
}

// What a person has chosen goes before what they write.
TEST(command_turn, speaks_the_language_that_the_person_has_chosen) {
    command_world world;
    world.table.rows.front()["content"] = "Was steht auf meiner Liste?";
    world.table.rows.front()["sender_id"] = 7;
    world.table.rows.front()["language"] = "fr";

    world.run();

    EXPECT_THAT(
        world.texts_of("assistant"), ElementsAre(agent::language::notices_in("fr").new_conversation)
    );
}

TEST(command_turn, of_cancel_is_that_of_stop) {
    command_world world;
    world.job.input.as_object()["command"] = "/cancel";
    world.job.input.as_object()["ended"] = 48;

    world.run();

    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(in_english(agent::stop_command.ended)));
}

} // namespace
} // namespace postrider::tests::command_test
