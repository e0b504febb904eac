#include "agent/flow/problem.hpp"

#include "base/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr base::names<severity, 2> severities{{
    {severity::error, "error"},
    {severity::warning, "warning"},
}};

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
    if (!full())
        listed_.push_back(std::move(what));
    else
        ++(what.severity == severity::error ? errors_beyond_ : warnings_beyond_);
}

std::vector<problem> problem_list::take() && {
    auto const beyond = errors_beyond_ + warnings_beyond_;
    if (beyond > 0)
        listed_.push_back({
            .code = "more_problems",
            .message = fmt::format("{} more problems are not listed", beyond),
            .hint = "mend these first",
            .severity = errors_beyond_ > 0 ? severity::error : severity::warning,
        });
    return std::move(listed_);
}

std::string quoted(std::string_view word) {
    constexpr std::size_t longest = 60;
    if (word.size() <= longest) return fmt::format("\"{}\"", word);
    auto end = longest;
    while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xc0u) == 0x80u) --end;
    return fmt::format("\"{}…\"", word.substr(0, end));
}

std::string below(std::string_view path, std::string_view member) {
    std::string made(path);
    made += '/';
    for (char c : member) {
        if (c == '~')
            made += "~0";
        else if (c == '/')
            made += "~1";
        else
            made += c;
    }
    return made;
}

std::string below(std::string_view path, std::size_t index) {
    return fmt::format("{}/{}", path, index);
}

} // namespace postrider::agent::flow
