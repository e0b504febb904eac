#include "agent/loop/report.hpp"

#include "agent/language/words.hpp"
#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <boost/url/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace json = boost::json;

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

bool has_choice(json::value const& schema);

bool has_choice_within(json::object const& schema, std::string_view word) {
    auto const* within = schema.if_contains(word);
    auto const* all = within ? within->if_array() : nullptr;
    return all && std::ranges::any_of(*all, has_choice);
}

// Its values, or some of them, stand in a list.
bool has_choice(json::value const& schema) {
    auto const* words = schema.if_object();
    if (!words) return false;
    if (words->contains("enum") || words->contains("const")) return true;
    for (auto const word : {"anyOf", "oneOf", "allOf"})
        if (has_choice_within(*words, word)) return true;
    return false;
}

// Foreign tools often list no values.
bool is_of_manner(std::string_view name) {
    constexpr std::array<std::string_view, 20> manners{
        "method", "action",   "operation", "mode",      "type",   "kind",   "format",
        "units",  "unit",     "language",  "lang",      "locale", "sort",   "order",
        "status", "priority", "encoding",  "frequency", "verb",   "command"};
    return std::ranges::find(manners, base::to_lower(std::string(name))) != manners.end();
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

json::object subjects_of(json::object const& arguments, json::object const& schema) {
    auto const* member = schema.if_contains("properties");
    auto const* properties = member ? member->if_object() : nullptr;
    json::object subjects;
    for (auto const& [name, value] : arguments) {
        auto const* described = properties ? properties->if_contains(name) : nullptr;
        if (described && has_choice(*described)) continue;
        if (!is_of_manner({name.data(), name.size()})) subjects[name] = value;
    }
    return subjects;
}

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
