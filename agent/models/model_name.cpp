#include "agent/models/model_name.hpp"

#include <algorithm>

namespace postrider::agent {

bool is_model_or_dated(std::string_view name, std::string_view model) noexcept {
    if (!name.starts_with(model)) return false;
    auto const rest = name.substr(model.size());
    auto const is_part = [](char c) { return c == '-' || (c >= '0' && c <= '9'); };
    bool const is_date =
        rest.size() >= 9 && rest.front() == '-' && std::ranges::all_of(rest, is_part);
    return rest.empty() || is_date;
}

} // namespace postrider::agent
