#include "agent/models/provider.hpp"

#include <array>

namespace postrider::agent {

// NAME.cpp of this folder defines the value.
extern provider const anthropic_provider;
extern provider const openai_provider;
extern provider const rules_provider;

std::span<provider const* const> providers() noexcept {
    static constexpr std::array table{
        &anthropic_provider,
        &openai_provider,
        &rules_provider,
    };
    return table;
}

} // namespace postrider::agent
