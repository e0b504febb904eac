#include "agent/flow/document/form.hpp"

#include "agent/flow/document/read_text.hpp"
#include "agent/flow/document/span_text.hpp"
#include "base/json/nul.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

bool one_line(std::string_view text) noexcept {
    return !text.empty() && std::ranges::none_of(text, [](char c) {
        return static_cast<unsigned char>(c) < 0x20u || c == 0x7f;
    });
}

bool made_of_word_characters(std::string_view text) noexcept {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    });
}

void form::complain(
    std::string_view key, std::string_view code, std::string message, std::string hint
) {
    problems_.add({
        .code = std::string(code),
        .path = key.empty() ? path_ : below(path_, key),
        .message = std::move(message),
        .hint = std::move(hint),
        .node = node_,
    });
}

void form::mistyped(std::string_view key, std::string_view requirement) {
    complain(key, "wrong_type", fmt::format("\"{}\" must be {}", key, requirement));
}

json::value const* form::find(std::string_view key, presence demand) {
    auto const* value = from_.if_contains(json::string_view(key.data(), key.size()));
    if (!value && demand == presence::required)
        complain("", "missing_member", fmt::format("\"{}\" is missing", key));
    return value;
}

std::optional<std::string> form::text(std::string_view key, text_rule rule, presence demand) {
    auto const* value = find(key, demand);
    if (!value) return std::nullopt;
    auto const* string = value->if_string();
    if (!string) {
        mistyped(key, "a text");
        return std::nullopt;
    }
    std::string text(string->data(), string->size());
    bool const fits = (!rule.fits || rule.fits(text)) &&
                      (rule.most == 0 || base::count_characters(text) <= rule.most);
    if (fits) return text;
    if (base::has_nul(text)) return std::nullopt; // told already
    complain(
        key,
        "invalid_text",
        fmt::format("\"{}\" cannot be {}", key, in_quotes(text)),
        fmt::format("1 to {} {}", rule.most, rule.description)
    );
    return std::nullopt;
}

std::string form::as_it_stands(std::string_view key) const {
    auto const* value = from_.if_contains(json::string_view(key.data(), key.size()));
    auto const* string = value ? value->if_string() : nullptr;
    return string ? std::string(string->data(), string->size()) : std::string();
}

std::optional<std::int64_t> form::integer(
    std::string_view key, std::int64_t least, std::int64_t most, presence demand
) {
    auto const* value = find(key, demand);
    if (!value) return std::nullopt;
    json::error_code ec;
    auto const number = value->to_number<std::int64_t>(ec);
    if (ec && !value->is_uint64()) {
        mistyped(key, "a whole number");
        return std::nullopt;
    }
    if (ec || number < least || number > most) {
        complain(
            key, "out_of_range", fmt::format("\"{}\" must be within {}..{}", key, least, most)
        );
        return std::nullopt;
    }
    return number;
}

std::optional<double> form::number(std::string_view key, presence demand) {
    auto const* value = find(key, demand);
    if (!value) return std::nullopt;
    if (value->is_number()) return value->to_number<double>();
    mistyped(key, "a number");
    return std::nullopt;
}

std::optional<bool> form::boolean(std::string_view key) {
    auto const* value = find(key, presence::optional);
    if (!value) return std::nullopt;
    if (auto const* flag = value->if_bool()) return *flag;
    mistyped(key, "true or false");
    return std::nullopt;
}

std::optional<std::chrono::milliseconds> form::span(
    std::string_view key, std::chrono::milliseconds most
) {
    auto const spelling = text(key, prose);
    if (!spelling) return std::nullopt;
    auto const length = base::duration_from_text(*spelling);
    bool const endless = !length && is_endless_span(*spelling);
    if (!length && !endless) {
        complain(
            key,
            "invalid_duration",
            fmt::format("{} is no span of time", in_quotes(*spelling)),
            std::string(span_hint)
        );
        return std::nullopt;
    }
    if (endless || *length > most) {
        complain(key, "too_long", fmt::format("\"{}\" is at most {}", key, base::to_text(most)));
        return std::nullopt;
    }
    return std::chrono::duration_cast<std::chrono::milliseconds>(*length);
}

std::optional<std::string> form::word(
    std::string_view key, std::span<std::string_view const> words
) {
    auto word = text(key, prose);
    if (!word || std::ranges::find(words, *word) != words.end()) return word;
    std::vector<std::string> const known_words(words.begin(), words.end());
    complain(
        key,
        "unknown_word",
        fmt::format("\"{}\" cannot be {}", key, in_quotes(*word)),
        hint_for(*word, known_words)
    );
    return std::nullopt;
}

json::object const* form::object(std::string_view key) {
    auto const* value = find(key, presence::optional);
    if (!value) return nullptr;
    if (!value->is_object()) mistyped(key, "an object");
    return value->if_object();
}

json::array const* form::array(std::string_view key, presence demand) {
    auto const* value = find(key, demand);
    if (!value) return nullptr;
    if (!value->is_array()) mistyped(key, "a list");
    return value->if_array();
}

} // namespace postrider::agent::flow
