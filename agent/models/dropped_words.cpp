#include "agent/models/dropped_words.hpp"

#include "agent/models/tool_schema.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace postrider::agent {

namespace {

namespace json = boost::json;

using schema_words = std::set<std::string, std::less<>>;

// They say nothing of a value, or come under another name.
constexpr std::array<std::string_view, 6> idle_words{
    "$schema", "$id", "id", "$comment", "definitions", "dependencies"};
// Their members are names, not keywords.
constexpr std::array<std::string_view, 5> named_schemas{
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas"};
constexpr std::array<std::string_view, 4> plain_values{"enum", "const", "default", "examples"};

template<std::size_t N>
bool is_among(std::array<std::string_view, N> const& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

void collect_words(json::value const& schema, schema_words& into) {
    if (auto const* list = schema.if_array())
        for (auto const& item : *list) collect_words(item, into);
    auto const* object = schema.if_object();
    if (!object) return;
    for (auto const& [key, value] : *object) {
        if (value.is_null()) continue; // as if it were not there
        std::string_view const word(key.data(), key.size());
        into.emplace(word);
        if (is_among(plain_values, word)) continue;
        if (is_among(named_schemas, word) && value.is_object())
            for (auto const& member : value.get_object()) collect_words(member.value(), into);
        else
            collect_words(value, into);
    }
}

} // namespace

std::vector<std::string> dropped_words(json::object const& schema) {
    schema_words original_words;
    schema_words kept_words;
    collect_words(json::value(schema), original_words);
    collect_words(
        json::value(wire::accepted_schema(schema, wire::schema_form::complete)), kept_words
    );
    std::vector<std::string> dropped;
    for (auto const& word : original_words)
        if (!kept_words.contains(word) && !is_among(idle_words, word)) dropped.push_back(word);
    return dropped;
}

} // namespace postrider::agent
