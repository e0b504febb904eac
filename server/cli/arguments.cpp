#include "server/cli/arguments.hpp"

#include "server/cli/argument_groups.hpp"
#include "server/start/config.hpp"

#include <fmt/format.h>

#include <deque>

namespace postrider::cli {

namespace {

constexpr std::string_view footer = R"(
Settings come from flags, then the environment, then postrider.toml, then defaults;
`postrider check` prints what counts. Exit codes: 0 done, 1 failed, 2 wrong usage or configuration.

  postrider demo --say "what is 6*7?"      a turn without any account
  TELEGRAM_BOT_TOKEN=… postrider serve     a real bot, by long polling
  postrider jobs list --state failed       dead letters)";

class parser {
public:
    parser() {
        app_.footer(std::string(footer));
        app_.require_subcommand(1);
        app_.fallthrough();
        app_.option_defaults()->always_capture_default(false);
        app_.set_help_all_flag("--help-all", "Help of every command");
        add_commands();
        add_settings();
    }

    parsed_arguments parse(std::vector<std::string> args) {
        std::reverse(args.begin(), args.end()); // CLI11 takes them from the end
        try {
            app_.parse(std::move(args));
        } catch (CLI::Success const& e) {
            std::ostringstream out, err;
            app_.exit(e, out, err);
            return {std::nullopt, 0, out.str()};
        } catch (CLI::ParseError const& e) {
            return {std::nullopt, 2, mistake(e)};
        }
        for (auto const& [key, value] : given_)
            if (!value.empty()) values_.flags.emplace(key, value);
        return {std::move(values_), 0, {}};
    }

private:
    CLI::App* command_of(
        CLI::App& parent, std::string const& name, std::string const& help, command command
    ) {
        return add_command(parent, values_, name, help, command);
    }

    void add_json(CLI::App* sub) { cli::add_json(sub, values_); }

    void add_commands() {
        command_of(app_, "serve", "Run the server", command::serve);
        add_say(command_of(
            app_, "demo", "Run with a simulated Telegram chat in this terminal", command::demo
        ));
        add_chat();
        auto* check = command_of(
            app_,
            "check",
            "Print the effective configuration and test what it names",
            command::check
        );
        check->add_flag(
            "--online", values_.online, "Also ask Telegram, the model providers and the name server"
        );
        add_json(check);
        add_json(command_of(
            app_, "doctor", "Tell whether the running installation is well", command::doctor
        ));
        add_address(
            command_of(app_, "health", "Ask a running server whether it is ready", command::health)
        );
        add_json(
            command_of(app_, "migrate", "Bring the database's schema up to date", command::migrate)
        );
        add_jobs(app_, values_);
        add_lanes(app_, values_);
        add_effects(app_, values_);
        add_pauses(app_, values_);
        add_schedules(app_, values_);
        add_flows(app_, values_);
        add_executions(app_, values_);
        add_bot();
        add_token();
        add_json(command_of(app_, "version", "Print versions", command::version));
    }

    void add_say(CLI::App* to) {
        to->add_option("--say", values_.say, "Send this, print the replies, exit; may be repeated")
            ->type_name("TEXT");
    }

    void add_address(CLI::App* to) { cli::add_address(to, values_); }

    void add_chat() {
        auto* chat =
            command_of(app_, "chat", "Talk to an agent of the running server", command::chat);
        chat->add_option(
                "--agent", values_.agent, "A flow with a chat trigger, or an [agents.NAME]"
        )
            ->type_name("NAME");
        add_address(chat);
        add_say(chat);
    }

    void add_bot() {
        auto* bot = app_.add_subcommand("bot", "Hold a bot; talk to Telegram about it")
                        ->require_subcommand(1);
        bot->fallthrough();
        bot->add_option("--bot", values_.bot, "Which one, where there are several (main)")
            ->type_name("NAME");
        add_bot_pauses(*bot, values_);
        auto* webhook = bot->add_subcommand("webhook", "Where Telegram delivers updates")
                            ->require_subcommand(1);
        webhook->fallthrough();
        command_of(*webhook, "set", "Point it at POSTRIDER_PUBLIC_URL", command::webhook_set);
        add_json(command_of(*webhook, "info", "What Telegram knows of it", command::webhook_info));
        command_of(
            *webhook, "delete", "Remove it: updates are then polled", command::webhook_delete
        );
    }

    void add_token() {
        auto* token =
            app_.add_subcommand("token", "Bearer tokens of the HTTP API")->require_subcommand(1);
        token->fallthrough();
        auto* create = command_of(
            *token, "create", "Make a token and print it, this once", command::token_create
        );
        create->add_option("--user", values_.user, "Whose it is: the user's Telegram id")
            ->required()
            ->check(id_number())
            ->type_name("ID");
        create->add_option("--role", values_.role, "owner: everything; reader: looks; user: own")
            ->required()
            ->check(CLI::IsMember({"owner", "user", "reader"}));
        create->add_option("--name", values_.name, "For people: what it is for")->type_name("NAME");
        create->add_option("--expires-in", values_.expires_in, "Such as 90d; never otherwise")
            ->type_name("DURATION");
        add_json(create);
        add_json(command_of(*token, "list", "All tokens, newest first", command::token_list));
        auto* revoke =
            command_of(*token, "revoke", "End a token's validity", command::token_revoke);
        revoke->add_option("ID", values_.token, "As `token list` shows it")
            ->required()
            ->check(id_number());
        add_json(revoke);
    }

    void add_settings() {
        app_.add_option("--config", values_.config_file, "Settings file (postrider.toml)")
            ->type_name("FILE");
        for (auto const& row : server::settings_table()) {
            auto flag = base::flag_of(row, server::own_prefix);
            if (flag.empty()) continue;
            auto& slot = given_.emplace_back(base::key_of(row), std::string{}).second;
            app_.add_option(flag, slot, fmt::format("{} [{}]", row.help, row.environment))
                ->type_name("VALUE")
                ->group("Settings");
        }
    }

    // What is wrong, then where to look: never the whole help. A word that nobody takes explains
    // more than the command that is then missing.
    std::string mistake(CLI::ParseError const& e) {
        auto const unknown = app_.remaining(true);
        if (unknown.empty()) return fmt::format("postrider: {}\nSee postrider --help.\n", e.what());
        auto const known = known_here();
        auto const meant = base::nearest(unknown.front(), known);
        return fmt::format(
            "postrider: there is no {}{}\nSee postrider --help.\n",
            unknown.front(),
            meant.empty() ? "" : "; did you mean " + meant + "?"
        );
    }

    // What may stand behind the commands that were given: all that is theirs, and the options of
    // those around.
    std::vector<std::string> known_here() const {
        std::vector<std::string> names;
        CLI::App const* innermost = &app_;
        for (auto inner = innermost->get_subcommands(); !inner.empty();
             inner = innermost->get_subcommands()) {
            collect_options(*innermost, names);
            innermost = inner.front();
        }
        collect_names(*innermost, names);
        return names;
    }

    static void collect_options(CLI::App const& of, std::vector<std::string>& names) {
        for (auto const* option : of.get_options()) names.push_back(option->get_name());
    }

    static void collect_names(CLI::App const& of, std::vector<std::string>& names) {
        collect_options(of, names);
        for (auto const* sub : of.get_subcommands(nullptr)) {
            names.push_back(sub->get_name());
            collect_names(*sub, names);
        }
    }

    CLI::App app_{"A durable agent server for Telegram on Postgres.", "postrider"};
    arguments values_;
    std::deque<std::pair<std::string, std::string>> given_; // a deque: options point into it
};

} // namespace

CLI::App* add_command(
    CLI::App& parent,
    arguments& into,
    std::string const& name,
    std::string const& help,
    command command
) {
    auto* sub = parent.add_subcommand(name, help);
    sub->fallthrough();
    sub->callback([&into, command] { into.command = command; });
    return sub;
}

void add_address(CLI::App* to, arguments& into) {
    to->add_option("--address", into.address, "Where (the configured server.listen)")
        ->type_name("ADDRESS");
}

CLI::App* add_group(CLI::App& parent, std::string const& name, std::string const& help) {
    auto* group = parent.add_subcommand(name, help)->require_subcommand(1);
    group->fallthrough();
    return group;
}

void add_json(CLI::App* to, arguments& into) {
    to->add_flag("--json", into.json, "Print JSON");
}

parsed_arguments parse_arguments(std::vector<std::string> const& args) {
    return parser().parse(args);
}

} // namespace postrider::cli
