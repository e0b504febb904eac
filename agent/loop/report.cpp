#include "agent/loop/report.hpp"

#include "agent/words.hpp"
#include "base/utf8.hpp"

#include <boost/url/parse.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent {

namespace {

constexpr std::size_t most_calls = 5;          // of a line
constexpr std::size_t most_of_a_subject = 100; // bytes
constexpr std::size_t most_repeated_words = 8; // of what an answer would repeat

using phrase = std::vector<std::string>;

phrase phrase_of(std::string_view text) {
    phrase words;
    for (auto& read : words_of(text).words) words.push_back(std::move(read.text));
    return words;
}

bool contains(phrase const& answer, phrase const& sought) {
    return !sought.empty() && sought.size() <= most_repeated_words &&
           std::search(answer.begin(), answer.end(), sought.begin(), sought.end()) != answer.end();
}

std::string host_in(std::string_view text) {
    auto const url = boost::urls::parse_uri(text);
    return url ? std::string(url->host()) : std::string{};
}

std::string spaced(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

bool is_mentioned(std::string_view answer, reported_call const& call) {
    auto const words = phrase_of(answer);
    if (contains(words, phrase_of(spaced(call.tool)))) return true;
    return std::ranges::any_of(call.arguments, [&](auto const& argument) {
        auto const* text = argument.value().if_string();
        if (!text) return false;
        auto const host = host_in(*text);
        if (!host.empty()) return folded(answer).find(folded(host)) != std::string::npos;
        return contains(words, phrase_of(*text));
    });
}

// Its first text: what the call was about.
std::string subject_of(reported_call const& call) {
    for (auto const& argument : call.arguments) {
        auto const* text = argument.value().if_string();
        if (text && !text->empty())
            return fmt::format(
                " ({})", base::shortened(std::string_view(*text), most_of_a_subject)
            );
    }
    return {};
}

} // namespace

std::string report_of(std::string_view answer, std::vector<reported_call> const& calls) {
    std::vector<std::string> unsaid;
    for (auto const& call : calls) {
        if (is_mentioned(answer, call)) continue;
        auto line = call.tool + subject_of(call);
        if (std::ranges::find(unsaid, line) == unsaid.end()) unsaid.push_back(std::move(line));
    }
    if (unsaid.empty()) return {};
    std::string report = "\n\nUsed for this: ";
    for (std::size_t i = 0; i < std::min(unsaid.size(), most_calls); ++i)
        report += (i > 0 ? ", " : "") + unsaid[i];
    if (unsaid.size() > most_calls)
        report += fmt::format(" and {} more", unsaid.size() - most_calls);
    return report;
}

} // namespace postrider::agent
