#pragma once
// Keys of settings tables with a "*", which stands for a name that the user chooses. Pure.
#include <optional>
#include <string>
#include <string_view>

namespace postrider::base {

// "models.*.model" and "models.default.model" → "default"; nothing when they do not match.
std::optional<std::string> name_in(std::string_view pattern, std::string_view key);
std::string with_name(std::string_view pattern, std::string_view name);

// The pattern with the user's own name put in, so that a slip is compared with what was meant.
std::string key_like(std::string_view pattern, std::string_view key);

// The beginning of a row's key, as long as this one, with its names: "models.big" of "models.*.model". Empty: the
// row is none of a section so deep.
std::string section_like(std::string_view pattern, std::string_view key);

} // namespace postrider::base
