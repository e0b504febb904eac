#include "server/cli/parser/option_parser.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <charconv>

namespace postrider::cli {

std::string in_quotes(std::string const& text) {
    constexpr std::size_t longest_quote = 40;
    if (text.size() <= longest_quote) return text;
    return text.substr(0, longest_quote) + "…";
}

value_check in_range(int least, int most) {
    auto const refuse = [least, most](std::string const& text) -> std::string {
        int number = 0;
        auto const* end = text.data() + text.size();
        auto const [stop, ec] = std::from_chars(text.data(), end, number);
        if (ec == std::errc{} && stop == end && number >= least && number <= most) return {};
        return fmt::format(
            "a whole number from {} to {} is needed, not {}", least, most, in_quotes(text)
        );
    };
    return {refuse, CLI::Range(least, most).get_description()};
}

option* option::required() {
    declared_.required();
    return this;
}

option* option::check(value_check allowed) {
    declared_.check(CLI::Validator(std::move(allowed.refusal), std::move(allowed.description)));
    return this;
}

option* option::type_name(std::string const& name) {
    declared_.type_name(name);
    return this;
}

option* option::capture_default_str() {
    declared_.capture_default_str();
    return this;
}

option* option::delimiter(char separator) {
    declared_.delimiter(separator);
    return this;
}

option* option::allow_extra_args(bool allowed) {
    declared_.allow_extra_args(allowed);
    return this;
}

option* option::needs(option* other) {
    declared_.needs(&other->declared_);
    return this;
}

option* option::excludes(option* other) {
    declared_.excludes(&other->declared_);
    return this;
}

option* option_parser::add_option(
    std::string const& name, std::string& value, std::string const& help
) {
    return &options_.emplace_back(*command_.add_option(name, value, help));
}

option* option_parser::add_option(
    std::string const& name, std::optional<std::string>& value, std::string const& help
) {
    return &options_.emplace_back(*command_.add_option(name, value, help));
}

option* option_parser::add_option(
    std::string const& name, std::vector<std::string>& values, std::string const& help
) {
    return &options_.emplace_back(*command_.add_option(name, values, help));
}

option* option_parser::add_option(std::string const& name, int& value, std::string const& help) {
    return &options_.emplace_back(*command_.add_option(name, value, help));
}

option* option_parser::add_option(
    std::string const& name, std::int64_t& value, std::string const& help
) {
    return &options_.emplace_back(*command_.add_option(name, value, help));
}

option* option_parser::add_option(
    std::string const& name, std::vector<std::int64_t>& values, std::string const& help
) {
    return &options_.emplace_back(*command_.add_option(name, values, help));
}

option* option_parser::add_flag(std::string const& name, bool& value, std::string const& help) {
    return &options_.emplace_back(*command_.add_flag(name, value, help));
}

} // namespace postrider::cli
