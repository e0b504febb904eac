#include "server/cli/option_parser.hpp"

#include <CLI/App.hpp>

namespace postrider::cli {

value_check in_range(int least, int most) {
    CLI::Range const range(least, most);
    return {[range](std::string const& text) { return range(text); }, range.get_description()};
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
