#pragma once
// When a model is asked for its answer in pieces: a node's parameter `stream`, and the setting of
// [models.NAME]. Pure.
#include "agent/describe/choice.hpp"

namespace postrider::agent {

enum class streaming {
    watched, // while somebody looks on
    always,
    never,
};

std::span<named_choice<streaming> const> streaming_choices() noexcept;

} // namespace postrider::agent
