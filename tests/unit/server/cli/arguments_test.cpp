#include "server/cli/arguments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

arguments parsed(std::vector<std::string> const& args) {
    auto made = parse_arguments(args);
    if (!made.values) throw std::runtime_error(made.text);
    return *made.values;
}

TEST(arguments, each_command_is_known) {
    EXPECT_EQ(parsed({"serve"}).command, command::serve);
    EXPECT_EQ(parsed({"check"}).command, command::check);
    EXPECT_EQ(parsed({"migrate"}).command, command::migrate);
    EXPECT_EQ(parsed({"jobs", "list"}).command, command::jobs_list);
    EXPECT_EQ(parsed({"jobs", "show", "7"}).command, command::jobs_show);
    EXPECT_EQ(parsed({"jobs", "tail"}).command, command::jobs_tail);
    EXPECT_EQ(parsed({"lanes", "list"}).command, command::lanes_list);
    EXPECT_EQ(parsed({"lanes", "pause", "1:5:0"}).command, command::lane_pause);
    EXPECT_EQ(parsed({"lanes", "resume", "1:5:0"}).command, command::lane_resume);
    EXPECT_EQ(
        parsed({"lanes", "send-event", "1:5:0", "--type", "x"}).command, command::lane_send_event
    );
    EXPECT_EQ(parsed({"bot", "pause", "main"}).command, command::bot_pause);
    EXPECT_EQ(parsed({"bot", "resume", "main"}).command, command::bot_resume);
    EXPECT_EQ(parsed({"pause"}).command, command::all_pause);
    EXPECT_EQ(parsed({"resume"}).command, command::all_resume);
    EXPECT_EQ(parsed({"effects", "list"}).command, command::effects_list);
    EXPECT_EQ(parsed({"bot", "webhook", "set"}).command, command::webhook_set);
    EXPECT_EQ(parsed({"bot", "webhook", "info"}).command, command::webhook_info);
    EXPECT_EQ(parsed({"bot", "webhook", "delete"}).command, command::webhook_delete);
    EXPECT_EQ(parsed({"token", "list"}).command, command::token_list);
    EXPECT_EQ(parsed({"token", "revoke", "7"}).command, command::token_revoke);
    EXPECT_EQ(parsed({"demo"}).command, command::demo);
    EXPECT_EQ(parsed({"version"}).command, command::version);
}

TEST(arguments, flows_have_their_commands) {
    EXPECT_EQ(parsed({"executions", "list"}).command, command::executions_list);
    EXPECT_EQ(parsed({"executions", "show", "7"}).job, 7);
    EXPECT_EQ(parsed({"flows", "list"}).command, command::flows_list);
    EXPECT_EQ(parsed({"flows", "show", "a"}).command, command::flows_show);
    EXPECT_EQ(parsed({"flows", "validate", "a.json"}).flow.file, "a.json");
    EXPECT_EQ(parsed({"flows", "versions", "a"}).command, command::flows_versions);
    EXPECT_EQ(parsed({"flows", "archive", "a"}).command, command::flows_archive);
    EXPECT_EQ(parsed({"flows", "unarchive", "a"}).command, command::flows_unarchive);
    EXPECT_EQ(parsed({"flows", "delete", "a"}).command, command::flows_delete);
    auto const import = parsed({"flows", "import", "a.json", "--publish", "--note", "x"}).flow;
    EXPECT_TRUE(import.publish);
    EXPECT_FALSE(import.overwrite);
    EXPECT_EQ(import.note, "x");
    EXPECT_EQ(parsed({"flows", "export", "a", "--version", "draft"}).flow.version, "draft");
    EXPECT_EQ(parsed({"flows", "diff", "a"}).flow.from, "published");
    EXPECT_EQ(parsed({"flows", "diff", "a", "--from", "1"}).flow.to, "draft");
    EXPECT_EQ(parsed({"flows", "restore", "a", "3"}).flow.version, "3");
    EXPECT_EQ(parse_arguments({"flows", "restore", "a", "0"}).exit_code, 2);
    EXPECT_EQ(parse_arguments({"flows", "run", "a", "--version", "draft"}).exit_code, 2);
}

TEST(arguments, an_id_is_a_whole_number_that_fits) {
    for (auto const* id : {"99999999999999999999", "0", "-1", "1.5", "seven"}) {
        auto const shown = parse_arguments({"jobs", "show", id});

        EXPECT_EQ(shown.exit_code, 2) << id;
        EXPECT_THAT(
            shown.text,
            HasSubstr(
                "an id is a whole number from 1 to 9223372036854775807, not " + std::string(id)
            )
        );
    }
    EXPECT_EQ(parsed({"jobs", "show", "9223372036854775807"}).job, 9223372036854775807);
    EXPECT_EQ(parse_arguments({"jobs", "retry", "1", "99999999999999999999"}).exit_code, 2);
}

TEST(arguments, a_listing_has_its_filters) {
    auto list =
        parsed({"jobs", "list", "--state", "failed", "--lane", "1:5:0", "--limit", "3", "--json"});

    EXPECT_THAT(list.chosen.states, ElementsAre("failed"));
    EXPECT_EQ(list.chosen.lane, "1:5:0");
    EXPECT_EQ(list.limit, 3);
    EXPECT_TRUE(list.json);
    EXPECT_EQ(parsed({"jobs", "list"}).limit, 20);
    EXPECT_EQ(parsed({"jobs", "show", "12"}).job, 12);
}

TEST(arguments, a_token_has_a_user_and_a_role) {
    auto create = parsed(
        {"token", "create", "--user", "7", "--role", "reader", "--name", "x", "--expires-in", "9d"}
    );

    EXPECT_EQ(create.command, command::token_create);
    EXPECT_EQ(create.user, 7);
    EXPECT_EQ(create.role, "reader");
    EXPECT_EQ(create.name, "x");
    EXPECT_EQ(create.expires_in, "9d");
    EXPECT_EQ(parsed({"token", "revoke", "7"}).token, 7);
    EXPECT_EQ(parse_arguments({"token", "create", "--user", "7", "--role", "king"}).exit_code, 2);
    EXPECT_EQ(parse_arguments({"token", "create", "--role", "user"}).exit_code, 2);
    EXPECT_EQ(parse_arguments({"token", "create", "--user", "0", "--role", "user"}).exit_code, 2);
}

TEST(arguments, an_operation_is_for_jobs_named_or_chosen) {
    for (auto verb : {"retry", "restart", "fork", "cancel", "pause", "resume"}) {
        auto named = parsed({"jobs", verb, "7", "8"});
        EXPECT_EQ(named.command, command::jobs_operate);
        EXPECT_EQ(named.verb, verb);
        EXPECT_THAT(named.jobs, ElementsAre(7, 8));
    }
    auto chosen = parsed(
        {"jobs",
         "retry",
         "--state",
         "failed",
         "--state",
         "cancelled",
         "--kind",
         "turn",
         "--error",
         "timeout",
         "--after",
         "2h",
         "--before",
         "1h",
         "--lane-has",
         ":5",
         "--limit",
         "9",
         "--yes"}
    );
    EXPECT_THAT(chosen.chosen.states, ElementsAre("failed", "cancelled"));
    EXPECT_EQ(chosen.chosen.kind + chosen.chosen.error_class, "turntimeout");
    EXPECT_EQ(chosen.chosen.after + chosen.chosen.before + chosen.chosen.lane_text, "2h1h:5");
    EXPECT_EQ(chosen.most, 9);
    EXPECT_TRUE(chosen.yes);
    EXPECT_TRUE(parsed({"jobs", "cancel", "7", "--rollback"}).rollback);
    EXPECT_EQ(parsed({"jobs", "restart", "7", "--from-step", "b"}).from_step, "b");
}

TEST(arguments, an_event_has_a_type_and_an_effect_a_key) {
    auto event = parsed(
        {"jobs", "send-event", "7", "--type", "approval", "--payload", "true", "--match", "9"}
    );
    auto effect = parsed({"effects", "resend", "7", "reply"});

    EXPECT_THAT(event.jobs, ElementsAre(7));
    EXPECT_EQ(event.event.type + event.event.payload + *event.event.match, "approvaltrue9");
    EXPECT_EQ(effect.command, command::effects_settle);
    EXPECT_EQ(effect.verb + effect.name, "resendreply");
    EXPECT_EQ(effect.job, 7);
}

TEST(arguments, settings_are_flags_before_or_behind_the_command) {
    auto before = parsed({"--listen", "unix:/run/p", "--config", "a.toml", "serve"});
    auto behind = parsed({"serve", "--log-level=debug"});

    EXPECT_THAT(before.flags, ElementsAre(Pair("server.listen", "unix:/run/p")));
    EXPECT_EQ(before.config_file, "a.toml");
    EXPECT_THAT(behind.flags, ElementsAre(Pair("log.level", "debug")));
}

TEST(arguments, a_secret_is_no_flag) {
    auto made = parse_arguments({"serve", "--telegram-bot-token", "1:a"});

    EXPECT_FALSE(made.values);
    EXPECT_EQ(made.exit_code, 2);
}

TEST(arguments, several_texts_can_be_said) {
    EXPECT_THAT(
        parsed({"demo", "--say", "what is 6*7?", "--say", "and 7*7?"}).say,
        ElementsAre("what is 6*7?", "and 7*7?")
    );
}

TEST(arguments, help_is_no_mistake) {
    auto help = parse_arguments({"--help"});

    EXPECT_FALSE(help.values);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.text, AllOf(HasSubstr("jobs"), HasSubstr("POSTRIDER_LISTEN")));
}

struct mistake {
    std::vector<std::string> args;
    char const* told;
};

class usage_mistake : public testing::TestWithParam<mistake> {};

TEST_P(usage_mistake, is_told_and_ends_with_two) {
    auto made = parse_arguments(GetParam().args);

    EXPECT_FALSE(made.values);
    EXPECT_EQ(made.exit_code, 2);
    EXPECT_THAT(made.text, AllOf(HasSubstr(GetParam().told), HasSubstr("--help")));
}

INSTANTIATE_TEST_SUITE_P(
    arguments,
    usage_mistake,
    testing::Values(
        mistake{{}, "subcommand"},
        mistake{{"sevre"}, "did you mean serve?"},
        mistake{{"serve", "--lisen", "x"}, "did you mean --listen?"},
        mistake{{"jobs"}, "subcommand"},
        mistake{{"jobs", "lst"}, "did you mean list?"},
        mistake{{"lanes", "show", "7"}, "there is no show\n"},
        mistake{{"jobs", "list", "--lisen", "x"}, "did you mean --listen?"},
        mistake{{"jobs", "show"}, "ID"},
        mistake{{"jobs", "show", "first"}, "first"},
        mistake{{"jobs", "list", "--state", "done"}, "done"},
        mistake{{"jobs", "list", "--limit", "0"}, "0"},
        mistake{{"jobs", "rety", "7"}, "did you mean retry?"},
        mistake{{"jobs", "fork"}, "ID"},
        mistake{{"jobs", "send-event", "7"}, "--type"},
        mistake{{"effects", "drop", "7"}, "KEY"},
        mistake{{"lanes", "pause"}, "KEY"},
        mistake{{"bot", "pause"}, "NAME"},
        mistake{{"flows", "run", "a", "--version", "2.9"}, "a whole number such as 3, not 2.9"},
        mistake{{"flows", "run", "a", "--version", "1e30"}, "not 1e30"},
        mistake{{"flows", "run", "a", "--version", "published"}, "not published"},
        mistake{{"flows", "restore", "a", "99999999999999999999"}, "not 99999999999999999999"},
        mistake{{"flows", "restore", "a", "0"}, "not 0"},
        mistake{{"executions", "list", "--version", "3abc"}, "not 3abc"}
    )
);

} // namespace
} // namespace postrider::cli
