#include "server/cli/parser/command_line.hpp"

#include "base/texts.hpp"
#include "base/utf8.hpp"
#include "server/cli/parser/option_parser.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/start/config.hpp"
#include "server/start/version.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace postrider::cli {

namespace {

constexpr std::string_view footer = R"(
Settings come from flags, then the environment, then postrider.env, then postrider.toml, then defaults;
`postrider check --all` prints what counts. Exit codes: 0 done, 1 failed, 2 wrong usage or configuration.

  postrider demo --say "what is 6*7?"      a turn without any account
  TELEGRAM_BOT_TOKEN=… postrider serve     a real bot, by long polling
  postrider jobs list --state failed       dead letters
  postrider jobs list --help               what a command takes, with an example)";

std::string example_of(command const& command) {
    std::string text = "Example:";
    for (auto lines = command.example; !lines.empty();) {
        auto const end = std::min(lines.find('\n'), lines.size());
        text += fmt::format("\n  {}", lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return text;
}

class parser {
public:
    explicit parser(command_table const& table) : table_(table) {
        app_.footer(std::string(footer));
        app_.require_subcommand(1);
        app_.fallthrough();
        app_.option_defaults()->always_capture_default(false);
        app_.set_help_all_flag("--help-all", "Help of every command");
        app_.set_version_flag("--version", [this] { return program_version(); });
        for (auto const* command : table_.commands) add(*command);
        add_settings();
    }

    parsed_command_line parse(std::vector<std::string> args) {
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
        for (auto const& [key, value] : settings_)
            if (!value.empty()) parsed_.flags.emplace(key, value);
        return {std::move(parsed_), 0, {}};
    }

private:
    void add(command const& command) {
        auto const name = command.path.substr(command.path.rfind(' ') + 1);
        auto& parent = group_of(command.path.substr(0, command.path.size() - name.size()));
        auto* sub = parent.add_subcommand(std::string(name), std::string(command.summary));
        sub->fallthrough();
        sub->footer(example_of(command));
        option_parser options(*sub);
        auto run = command.prepare(options);
        if (command.json) sub->add_flag("--json", parsed_.json, "Print JSON");
        sub->callback([this, &command, run = std::move(run)] {
            parsed_.command = &command;
            parsed_.run = run;
        });
    }

    // Of "bot webhook ", made when it is not there yet; of "" the program itself.
    CLI::App& group_of(std::string_view path) {
        auto* group = &app_;
        for (std::size_t from = 0; from < path.size();) {
            auto const end = path.find(' ', from);
            std::string const name(path.substr(from, end - from));
            auto const subcommands =
                group->get_subcommands([&](CLI::App* sub) { return sub->get_name() == name; });
            group = subcommands.empty() ? &add_group(*group, name, path.substr(0, end))
                                        : subcommands.front();
            from = end + 1;
        }
        return *group;
    }

    CLI::App& add_group(CLI::App& parent, std::string const& name, std::string_view path) {
        auto const described = std::ranges::find(table_.groups, path, &command_group::path);
        auto const summary = described == table_.groups.end() ? "" : described->summary;
        auto* group = parent.add_subcommand(name, std::string(summary));
        group->require_subcommand(1);
        group->footer(fmt::format("postrider {} … --help has an example of each.", path));
        group->fallthrough();
        return *group;
    }

    void add_settings() {
        app_.add_option("--config", parsed_.config_file, "Settings file (postrider.toml)")
            ->type_name("FILE");
        app_.add_option(
                "--env-file",
                parsed_.environment_file,
                "Environment file (postrider.env) [POSTRIDER_ENV_FILE]"
        )
            ->type_name("FILE");
        for (auto const& row : server::settings_table()) {
            auto flag = base::flag_of(row, server::own_prefix);
            if (flag.empty()) continue;
            auto& slot = settings_.emplace_back(base::key_of(row), std::string{}).second;
            app_.add_option(flag, slot, fmt::format("{} [{}]", row.help, row.environment))
                ->type_name("VALUE")
                ->group("Settings");
        }
    }

    // The commands that were named, from the program on.
    std::vector<CLI::App const*> named_commands() const {
        std::vector<CLI::App const*> chain{&app_};
        for (auto inner = app_.get_subcommands(); !inner.empty();
             inner = chain.back()->get_subcommands())
            chain.push_back(inner.front());
        return chain;
    }

    static std::string path_of(std::vector<CLI::App const*> const& chain) {
        std::string path = "postrider";
        for (std::size_t i = 1; i < chain.size(); ++i) path += " " + chain[i]->get_name();
        return path;
    }

    // Of the program alone: behind a command it was meant as an option of that.
    std::string program_version() const {
        auto const chain = named_commands();
        if (chain.size() > 1)
            throw CLI::ParseError(
                fmt::format("{} has no option --version", path_of(chain)),
                CLI::ExitCodes::ExtrasError
            );
        return fmt::format("postrider {}", server::this_version().product);
    }

    // What is wrong, then where to look: never the whole help. A word that nobody takes explains
    // more than the command that is then missing, and a value that does not fit more than both.
    std::string mistake(CLI::ParseError const& e) {
        auto const chain = named_commands();
        auto const path = path_of(chain);
        auto const unknown = app_.remaining(true);
        bool const is_bad_value =
            e.get_name() == "ValidationError" || e.get_name() == "ConversionError";
        auto const reason = unknown.empty() || is_bad_value
                                ? incomplete(*chain.back(), path, e)
                                : not_taken(unknown.front(), chain, path);
        return fmt::format("postrider: {}\nSee {} --help.\n", reason, path);
    }

    static std::string incomplete(
        CLI::App const& innermost, std::string const& path, CLI::ParseError const& e
    ) {
        auto const subcommands = innermost.get_subcommands(nullptr);
        if (e.get_name() != "RequiredError" || subcommands.empty()) return e.what();
        std::vector<std::string> names;
        names.reserve(subcommands.size());
        for (auto const* sub : subcommands) names.push_back(sub->get_name());
        return fmt::format("{} needs a command: {}", path, base::joined(names, ", "));
    }

    static std::string not_taken(
        std::string const& word, std::vector<CLI::App const*> const& chain, std::string const& path
    ) {
        bool const option = word.starts_with('-');
        auto const& innermost = *chain.back();
        if (!option && innermost.get_subcommands(nullptr).empty())
            return fmt::format("{} does not take {}", path, word);
        auto const names = option ? options_of(chain) : commands_of(innermost);
        if (option && std::ranges::find(names, word) != names.end())
            return fmt::format("{} does not take {} behind --", path, word);
        auto const hint = suggestion(word, names);
        if (option) return fmt::format("{} has no option {}{}", path, word, hint);
        return fmt::format("there is no command {} {}{}", path, word, hint);
    }

    // All that may stand behind the commands that were named.
    static std::vector<std::string> options_of(std::vector<CLI::App const*> const& chain) {
        std::vector<std::string> names;
        for (auto inner = chain.rbegin(); inner != chain.rend(); ++inner)
            for (auto const* option : (*inner)->get_options()) names.push_back(option->get_name());
        return names;
    }

    // By their own names, and those further in by their paths' rest: "show" is "jobs show".
    static std::vector<std::string> commands_of(CLI::App const& outer) {
        std::vector<std::string> names;
        for (auto const* sub : outer.get_subcommands(nullptr)) {
            names.push_back(sub->get_name());
            for (auto const& inner : commands_of(*sub))
                names.push_back(sub->get_name() + " " + inner);
        }
        return names;
    }

    command_table const& table_;
    CLI::App app_{"A durable agent server for Telegram on Postgres.", "postrider"};
    parsed_command parsed_;
    std::deque<std::pair<std::string, std::string>> settings_; // a deque: options point into it
};

} // namespace

parsed_command_line parse_command_line(
    std::vector<std::string> const& args, command_table const& table
) {
    for (std::size_t i = 0; i < args.size(); ++i)
        if (!base::is_utf8(args[i]))
            return {
                std::nullopt,
                2,
                fmt::format(
                    "postrider: argument {} is not UTF-8: {}\n", i + 1, base::as_utf8(args[i])
                )};
    return parser(table).parse(args);
}

} // namespace postrider::cli
