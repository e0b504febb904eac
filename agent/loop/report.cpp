#include "agent/loop/report.hpp"

#include "agent/language/words.hpp"
#include "base/ascii.hpp"
#include "base/texts.hpp"
#include "base/utf8.hpp"

#include <boost/url/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>

namespace postrider::agent {

namespace json = boost::json;

namespace {

constexpr std::size_t most_calls = 5;          // of a line
constexpr std::size_t most_of_a_subject = 100; // bytes
constexpr std::size_t most_parts = 500;        // of a schema, to be looked at for one value
constexpr std::size_t most_repeated_words = 8; // of what an answer would repeat

using phrase = std::vector<std::string>;

phrase phrase_of(std::string_view text) {
    phrase words;
    for (auto& word : words_of(text).words) words.push_back(std::move(word.text));
    return words;
}

bool contains(phrase const& answer, phrase const& part) {
    return !part.empty() && part.size() <= most_repeated_words &&
           std::search(answer.begin(), answer.end(), part.begin(), part.end()) != answer.end();
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

// Reads a tool's schema, whose parts may stand elsewhere in it.
class schema_reader {
public:
    explicit schema_reader(json::object const& schema) : document_(schema) {}

    // Their values, or some of them, stand in a list.
    std::set<std::string, std::less<>> choices() const {
        std::set<std::string, std::less<>> names;
        part_set seen;
        visit(document_, seen, [&](json::object const& root) {
            auto const* member = root.if_contains("properties");
            auto const* properties = member ? member->if_object() : nullptr;
            if (!properties) return;
            for (auto const& [name, described] : *properties)
                if (is_choice(described)) names.emplace(name);
        });
        return names;
    }

private:
    using part_set = std::set<json::object const*>;

    bool is_choice(json::value const& schema) const {
        bool listed = false;
        part_set seen;
        visit(schema, seen, [&](json::object const& part) {
            listed = listed || part.contains("enum") || part.contains("const");
        });
        return listed;
    }

    // The schema, what it refers to and its alternatives.
    template<class See>
    void visit(json::value const& schema, part_set& seen, See const& see) const {
        auto const* part = schema.if_object();
        if (!part || seen.size() == most_parts || !seen.insert(part).second) return;
        see(*part);
        if (auto const* target = target_of(*part)) visit(*target, seen, see);
        for (auto const word : {"anyOf", "oneOf", "allOf"}) {
            auto const* within = part->if_contains(word);
            auto const* all = within ? within->if_array() : nullptr;
            if (!all) continue;
            for (auto const& alternative : *all) visit(alternative, seen, see);
        }
    }

    // Null: it leads nowhere, or out of the document.
    json::value const* target_of(json::object const& part) const {
        auto const* reference = part.if_contains("$ref");
        auto const* text = reference ? reference->if_string() : nullptr;
        if (!text || !text->starts_with('#')) return nullptr;
        boost::system::error_code none;
        return document_.find_pointer(text->subview(1), none);
    }

    json::value document_;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

// "http_method" and "httpMethod" are "http" and "method".
std::vector<std::string> words_in_name(std::string_view name) {
    auto const is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    auto const is_lower = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        bool const is_letter = is_upper(name[i]) || is_lower(name[i]);
        bool const is_behind_small = i > 0 && is_lower(name[i - 1]);
        bool const is_before_small =
            i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
        bool const begins = is_upper(name[i]) && (is_behind_small || is_before_small);
        if ((!is_letter || begins) && !words.back().empty()) words.emplace_back();
        if (is_letter) words.back() += name[i];
    }
    if (words.back().empty()) words.pop_back();
    for (auto& word : words) word = base::to_lower(std::move(word));
    return words;
}

// Foreign tools often list no values. The last word of a name is its noun: "order_id" is no order.
bool is_of_manner(std::string_view name) {
    auto words = words_in_name(name);
    while (words.size() > 1 && is_one_of(words.back(), {"by", "code", "direction", "name", "value"})
    )
        words.pop_back();
    return !words.empty() &&
           is_one_of(words.back(), {"method",   "action",   "operation", "mode",  "type",
                                    "kind",     "format",   "units",     "unit",  "language",
                                    "lang",     "locale",   "sort",      "order", "status",
                                    "priority", "encoding", "frequency", "verb",  "command"});
}

bool is_verb_of_http(json::value const& value) {
    auto const* text = value.if_string();
    return text && is_one_of(
                       base::to_lower(std::string(*text)),
                       {"get", "post", "put", "patch", "delete", "head", "options"}
                   );
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
    auto const choices = schema_reader(schema).choices();
    json::object subjects;
    for (auto const& [key, value] : arguments) {
        std::string_view const name(key.data(), key.size());
        if (!choices.contains(name) && !is_of_manner(name) && !is_verb_of_http(value))
            subjects[name] = value;
    }
    return subjects;
}

std::string report_of(
    std::string_view answer, std::vector<reported_call> const& calls, language::notices const& words
) {
    std::vector<std::string> unsaid;
    for (auto const& call : calls) {
        if (is_mentioned(answer, call)) continue;
        auto line = call.tool + subject_of(call);
        if (std::ranges::find(unsaid, line) == unsaid.end()) unsaid.push_back(std::move(line));
    }
    if (unsaid.empty()) return {};
    auto const more = std::max(unsaid.size(), most_calls) - most_calls;
    unsaid.resize(unsaid.size() - more);
    auto named = base::joined(unsaid, ", ");
    if (more > 0) named = language::in_words(words.and_more, named, more);
    return "\n\n" + language::in_words(words.used_for_this, named);
}

} // namespace postrider::agent
