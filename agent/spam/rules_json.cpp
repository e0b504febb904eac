#include "agent/spam/rules_json.hpp"

#include "base/texts.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <optional>

namespace postrider::agent::spam {

namespace json = boost::json;

namespace {

// As rules::set() takes it; nothing: no rule has such a value.
std::optional<std::string> text_of_rule(json::value const& value) {
    if (auto const* text = value.if_string()) return std::string(*text);
    if (value.is_int64()) return std::to_string(value.get_int64());
    if (value.is_bool()) return value.get_bool() ? "true" : "false";
    auto const* list = value.if_array();
    if (!list) return std::nullopt;
    std::vector<std::string> words;
    for (auto const& word : *list) {
        if (!word.is_string()) return std::nullopt;
        words.emplace_back(word.get_string());
    }
    return base::joined(words, ", ");
}

} // namespace

base::result<rules> changed_rules(json::object const& changes, rules changed) {
    for (auto const& change : changes) {
        auto const text = text_of_rule(change.value());
        if (!text)
            return base::error(
                base::errc::invalid,
                fmt::format(
                    "{} must be a text, an integer, true, false or a list of texts",
                    std::string_view(change.key())
                )
            );
        if (auto const set = changed.set(change.key(), *text); !set) return set.error();
    }
    return changed;
}

} // namespace postrider::agent::spam
