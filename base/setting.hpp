#pragma once
// One row of a settings table, and what can be said of a value by its row alone: whether it is fit,
// how it may be shown, and which key somebody probably meant. Pure. base/settings.hpp has the
// layers.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::base {

enum class setting_type {
    text,
    secret, // shown as ******** only
    url,    // shown without its password
    integer,
    span,    // "250ms", "10s", "1h 30min"
    words,   // comma separated, or a list in the file
    numbers, // integers, likewise
};

struct setting {
    // The path in the file: "engine.slots". A segment "*" is a name that the user chooses:
    // "models.*.model".
    std::string_view key;
    // "" = in the file only. "POSTRIDER_SECRET_*": the name that the user chose, in capitals.
    std::string_view environment = {};
    setting_type type = setting_type::text;
    std::string_view fallback = {}; // as it would be written; "" = unset
    // text: "one|another"; integer and span: "least..most"; "" = anything of the type.
    std::string_view constraint = {};
    std::string_view help = {};
    // Of a key with a "*": the name that is there even if the file does not write it, and whose
    // value the environment gives.
    std::string_view always = {};
};

// What is wrong with the value ("must be one of logfmt, json; not \"jsno\"; did you mean json?"), or nothing. An empty text is
// unset, hence fit. The problem never quotes a secret.
std::optional<std::string> problem_with(setting const& row, std::string_view value);

// The value as it may be shown: secrets and passwords masked.
std::string masked(setting const& row, std::string_view value);

// The items of a list, without the blanks around them.
std::vector<std::string> split_words(std::string_view list);

// The known word that was probably meant, or "": by edit distance, or by an equal last segment.
std::string nearest(std::string_view word, std::span<std::string const> candidates);

// "; did you mean X?", or "" when no known word is near: for every message about a name that is not
// known.
std::string suggestion(std::string_view word, std::span<std::string const> candidates);

} // namespace postrider::base
