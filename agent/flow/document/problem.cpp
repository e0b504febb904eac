#include "agent/flow/document/problem.hpp"

#include "base/names.hpp"
#include "base/setting.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr base::names<severity, 2> severities{{
    {severity::error, "error"},
    {severity::warning, "warning"},
}};

// The text, or at most so many bytes of it: whole characters.
std::string_view beginning(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0u) == 0x80u) --most;
    return text.substr(0, most);
}

std::string shortened(std::string_view word) {
    auto const shown = beginning(word, 60);
    return fmt::format("{}{}", shown, shown.size() < word.size() ? "…" : "");
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
    what.node.resize(beginning(what.node, longest_name).size());
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
