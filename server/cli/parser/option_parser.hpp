#pragma once
// The options of a command, declared for the parser of the command line. CLI11, which parses them,
// is a heavy header: only option_parser.cpp and command_line.cpp include it.
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace postrider::cli {

// Which values an option takes.
struct value_check {
    std::function<std::string(std::string const&)> refusal; // "" = the text is taken
    std::string description; // stands in the help behind the value's name
};

// For a refusal: a malformed value may be of any length.
std::string in_quotes(std::string const& text);

// Whole numbers of this range, both ends included.
value_check in_range(int least, int most);

// An option while it is declared; every call returns the same option.
class option {
public:
    explicit option(CLI::Option& declared) : declared_(declared) {}

    option* required();
    option* check(value_check allowed);
    option* type_name(std::string const& name); // of the value, in the help
    option* capture_default_str();              // the help shows the value as it is now
    option* delimiter(char separator);          // between the values of one argument
    option* allow_extra_args(bool allowed);     // several values behind one name
    option* needs(option* other);
    option* excludes(option* other);

private:
    CLI::Option& declared_;
};

// One command's options. It lives while they are declared, and so do the options that it returns;
// what they are bound to must outlive the parsing. A name without dashes is positional.
class option_parser {
public:
    explicit option_parser(CLI::App& command) : command_(command) {}

    option* add_option(std::string const& name, std::string& value, std::string const& help);
    option* add_option(
        std::string const& name, std::optional<std::string>& value, std::string const& help
    );
    option* add_option(
        std::string const& name, std::vector<std::string>& values, std::string const& help
    );
    option* add_option(std::string const& name, int& value, std::string const& help);
    option* add_option(std::string const& name, std::int64_t& value, std::string const& help);
    option* add_option(
        std::string const& name, std::vector<std::int64_t>& values, std::string const& help
    );
    option* add_flag(std::string const& name, bool& value, std::string const& help);

private:
    CLI::App& command_;
    std::deque<option> options_;
};

} // namespace postrider::cli
