#pragma once
// When a model is asked for its answer in pieces: one table, of which a node's parameter and the setting of
// [models.NAME] are made. Pure.
#include <optional>
#include <span>
#include <string_view>

namespace postrider::agent {

enum class streaming {
    watched, // while somebody looks on
    always,
    never,
};

struct streaming_choice {
    streaming value;
    std::string_view name;
    std::string_view meaning; // for people: a sentence without its end
};

// The first one is the default.
std::span<streaming_choice const> streaming_choices() noexcept;
std::optional<streaming> streaming_from(std::string_view name) noexcept;

} // namespace postrider::agent
