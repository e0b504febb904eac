#pragma once
// A command of the command line is one value: its path, its help, its options and what runs it. It
// stands in a file of its own under commands/ and has one line in commands.def; parsing, help,
// examples, suggestions and the errors of a shell come from it.
#include "base/settings.hpp"

#include <functional>
#include <iosfwd>
#include <memory>
#include <string_view>
#include <vector>

namespace postrider::server {
struct loaded_config; // server/start/config.hpp
} // namespace postrider::server

namespace postrider::cli {

struct command;
class option_parser; // server/cli/parser/option_parser.hpp

// What every command gets. It returns its exit code: 0 done, 1 failed, 2 wrong usage or
// configuration. Data goes to out, everything said about it to err.
struct context {
    cli::command const& command;
    server::loaded_config const& configured; // without problems, unless the command takes them
    base::environment const& environment;
    std::ostream& out;
    std::ostream& err;
    bool json = false; // of a command that takes --json
};

// Runs a command whose options have been read; owns their values.
using action = std::function<int(context const&)>;

// Which settings a command needs.
enum class settings_need { all_fit, as_given };

struct command {
    std::string_view path; // "jobs show"
    std::string_view summary;
    std::string_view example; // whole lines for a shell
    // Adds the options to the command's parser, and gives what runs it with their values.
    action (*prepare)(option_parser& parser) = nullptr;
    bool json = true; // takes --json
    settings_need settings = settings_need::all_fit;
};

namespace detail {

template<class Arguments>
Arguments arguments_of(int (*)(context const&, Arguments const&));

} // namespace detail

// For command::prepare, of `void declare(option_parser&, arguments&)` and
// `int run(context const&, arguments const&)`.
template<auto Declare, auto Run>
action with_options(option_parser& parser) {
    auto arguments = std::make_shared<decltype(detail::arguments_of(Run))>();
    Declare(parser, *arguments);
    return [arguments](context const& in) { return Run(in, *arguments); };
}

// The same of a command without options.
template<auto Run>
action without_options(option_parser&) {
    return Run;
}

// What several commands have in common: the words before the last of their paths.
struct command_group {
    std::string_view path;
    std::string_view summary;
};

struct command_table {
    std::vector<command const*> commands; // in the order of the help
    std::vector<command_group> groups;
};

} // namespace postrider::cli
