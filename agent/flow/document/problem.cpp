#include "agent/flow/document/problem.hpp"

#include "base/names.hpp"
#include "base/setting.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr base::names<severity, 2> severities{{
    {severity::error, "error"},
    {severity::warning, "warning"},
}};

std::string shortened(std::string_view word) {
    return base::shortened(word, 60);
}

} // namespace

std::string_view to_string(severity severity) noexcept {
    return base::name_of(severities, severity);
}

boost::json::object to_json(problem const& problem) {
    boost::json::object object{
        {"code", problem.code},
        {"severity", to_string(problem.severity)},
        {"path", problem.path},
        {"message", problem.message},
    };
    if (!problem.hint.empty()) object["hint"] = problem.hint;
    if (!problem.node.empty()) object["node"] = problem.node;
    return object;
}

std::string to_text(problem const& problem) {
    std::string text = problem.node;
    if (!problem.path.empty())
        text += text.empty() ? problem.path : fmt::format(" ({})", problem.path);
    if (!text.empty()) text += ": ";
    if (problem.severity == severity::warning) text += "warning: ";
    text += problem.message;
    if (!problem.hint.empty()) text += " — " + problem.hint;
    return text;
}

bool any_error(std::vector<problem> const& problems) noexcept {
    return std::ranges::any_of(problems, [](problem const& problem) {
        return problem.severity == severity::error;
    });
}

void problem_list::add(problem problem) {
    errors_ = errors_ || problem.severity == severity::error;
    if (full()) {
        beyond_ = true;
        return;
    }
    constexpr std::size_t longest_name = 300;
    problem.node.resize(base::cut_at_character(problem.node, longest_name).size());
    listed_.push_back(std::move(problem));
}

std::vector<problem> problem_list::take() && {
    if (beyond_)
        listed_.push_back({
            .code = "more_problems",
            .message = "there are more problems than these",
            .hint = "mend these first",
            .severity = errors_ ? severity::error : severity::warning,
        });
    return std::move(listed_);
}

std::string in_quotes(std::string_view word) {
    return fmt::format("\"{}\"", shortened(word));
}

std::string hint_for(std::string_view word, std::span<std::string const> candidates) {
    constexpr std::size_t most_listed = 12;
    constexpr std::size_t most_work = 200'000; // letters compared with letters, roughly
    bool const quick = candidates.size() * word.size() * word.size() <= most_work;
    auto const meant = quick ? base::nearest(word, candidates) : "";
    if (!meant.empty()) return fmt::format("did you mean {}?", in_quotes(meant));
    if (candidates.empty() || candidates.size() > most_listed) return {};
    std::string all;
    for (auto const& name : candidates) all += (all.empty() ? "" : ", ") + shortened(name);
    return "there is: " + all;
}

} // namespace postrider::agent::flow
