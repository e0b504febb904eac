#pragma once
// Names of models as providers report them: they may have a date behind them. Pure functions.
#include <string_view>

namespace postrider::agent {

// Whether the name is the model's, or the model's with a date behind it: "-20251001", "-2024-07-18".
bool is_model_or_dated(std::string_view name, std::string_view model) noexcept;

} // namespace postrider::agent
