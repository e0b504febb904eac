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

std::string_view to_string(severity how) noexcept {
    return base::name_of(severities, how);
}

boost::json::object to_json(problem const& what) {
    boost::json::object made{
        {"code", what.code},
        {"severity", to_string(what.severity)},
        {"path", what.path},
        {"message", what.message},
    };
    if (!what.hint.empty()) made["hint"] = what.hint;
    if (!what.node.empty()) made["node"] = what.node;
    return made;
}

std::string to_text(problem const& what) {
    std::string text = what.node;
    if (!what.path.empty()) text += text.empty() ? what.path : fmt::format(" ({})", what.path);
    if (!text.empty()) text += ": ";
    if (what.severity == severity::warning) text += "warning: ";
    text += what.message;
    if (!what.hint.empty()) text += " — " + what.hint;
    return text;
}

bool any_error(std::vector<problem> const& problems) noexcept {
    return std::ranges::any_of(problems, [](problem const& one) {
        return one.severity == severity::error;
    });
}

void problem_list::add(problem what) {
    errors_ = errors_ || what.severity == severity::error;
    if (full()) {
        beyond_ = true;
        return;
    }
    constexpr std::size_t longest_name = 300;
    what.node.resize(base::cut_at_character(what.node, longest_name).size());
    listed_.push_back(std::move(what));
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

std::string hint_for(std::string_view word, std::span<std::string const> known) {
    constexpr std::size_t few = 12;
    constexpr std::size_t most_work = 200'000; // letters compared with letters, roughly
    bool const quick = known.size() * word.size() * word.size() <= most_work;
    auto const meant = quick ? base::nearest(word, known) : "";
    if (!meant.empty()) return fmt::format("did you mean {}?", in_quotes(meant));
    if (known.empty() || known.size() > few) return {};
    std::string all;
    for (auto const& one : known) all += (all.empty() ? "" : ", ") + shortened(one);
    return "there is: " + all;
}

} // namespace postrider::agent::flow
