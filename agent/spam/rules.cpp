#include "agent/spam/rules.hpp"

#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <stdexcept>

namespace postrider::agent::spam {

namespace {

constexpr std::string_view threshold_key = "threshold";

std::int64_t number_of(std::string_view text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

check_settings::parameter parameter_of(base::setting const& row, std::string_view value) {
    if (row.type == base::setting_type::integer) return {number_of(value), {}};
    return {0, base::split_words(value)};
}

check_settings defaults_of(check const& check) {
    check_settings settings{check.on, check.weight, {}};
    for (auto const& row : check.parameters)
        settings.parameters.emplace(row.key, parameter_of(row, row.fallback));
    return settings;
}

// Rows of settings see their texts; these own them.
std::vector<base::setting> make_rule_settings() {
    static std::deque<std::string> texts;
    auto const keep = [](std::string text) -> std::string_view {
        return texts.emplace_back(std::move(text));
    };
    std::vector<base::setting> rows{
        {.key = threshold_key,
         .type = base::setting_type::integer,
         .fallback = "100",
         .constraint = "1..1000",
         .help = "Points from which a message is spam."}};
    for (auto const* check : checks()) {
        rows.push_back(
            {.key = keep(fmt::format("{}.on", check->name)),
             .fallback = check->on ? "true" : "false",
             .constraint = "true|false",
             .help = check->looks_for}
        );
        rows.push_back(
            {.key = keep(fmt::format("{}.weight", check->name)),
             .type = base::setting_type::integer,
             .fallback = keep(std::to_string(check->weight)),
             .constraint = "0..1000",
             .help = "Points that the check gives at most."}
        );
        for (auto row : check->parameters) {
            row.key = keep(fmt::format("{}.{}", check->name, row.key));
            rows.push_back(row);
        }
    }
    return rows;
}

check_settings::parameter const& find_parameter(
    check_settings const& settings, std::string_view name
) {
    auto const at = settings.parameters.find(name);
    if (at == settings.parameters.end())
        throw std::logic_error("a check reads a parameter that it does not declare");
    return at->second;
}

} // namespace

std::int64_t check_settings::number(std::string_view name) const {
    return find_parameter(*this, name).number;
}

std::vector<std::string> const& check_settings::words(std::string_view name) const {
    return find_parameter(*this, name).words;
}

std::vector<base::setting> const& rule_settings() {
    static auto const rows = make_rule_settings();
    return rows;
}

rules::rules() : threshold_(static_cast<int>(number_of(rule_settings().front().fallback))) {
    for (auto const* check : checks()) checks_.emplace(check->name, defaults_of(*check));
}

check_settings const& rules::of(std::string_view check) const {
    return checks_.find(check)->second;
}

base::result<void> rules::set(std::string_view key, std::string_view value) {
    auto const& rows = rule_settings();
    auto const row = std::ranges::find(rows, key, &base::setting::key);
    if (row == rows.end()) {
        std::vector<std::string> keys;
        for (auto const& candidate : rows) keys.emplace_back(candidate.key);
        return base::error(
            base::errc::not_found,
            fmt::format("there is no rule {}{}", key, base::suggestion(key, keys))
        );
    }
    bool const is_list = row->type == base::setting_type::words;
    if (auto const problem = base::problem_with(*row, value);
        problem || (!is_list && base::split_words(value).empty()))
        return base::error(
            base::errc::invalid, fmt::format("{} {}", key, problem.value_or("needs a value"))
        );
    if (key == threshold_key) {
        threshold_ = static_cast<int>(number_of(value));
        return {};
    }
    auto const dot = key.find('.');
    auto& settings = checks_.find(key.substr(0, dot))->second;
    auto const name = key.substr(dot + 1);
    if (name == "on")
        settings.on = value == "true";
    else if (name == "weight")
        settings.weight = static_cast<int>(number_of(value));
    else
        settings.parameters.find(name)->second = parameter_of(*row, value);
    return {};
}

base::result<void> rules::set(std::string_view assignment) {
    auto const equals = assignment.find('=');
    if (equals == assignment.npos)
        return base::error(base::errc::invalid, "a rule is set as KEY=VALUE");
    return set(assignment.substr(0, equals), assignment.substr(equals + 1));
}

} // namespace postrider::agent::spam
