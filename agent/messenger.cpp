#include "agent/messenger.hpp"

namespace postrider::agent {

std::string_view to_string(member_standing standing) noexcept {
    switch (standing) {
    case member_standing::owner:
        return "owner";
    case member_standing::administrator:
        return "administrator";
    case member_standing::member:
        return "member";
    case member_standing::restricted:
        return "restricted";
    case member_standing::left:
        return "left";
    case member_standing::banned:
        return "banned";
    }
    return "?";
}

std::optional<member_standing> standing_from_string(std::string_view name) noexcept {
    using enum member_standing;
    for (auto standing : {owner, administrator, member, restricted, left, banned})
        if (to_string(standing) == name) return standing;
    return std::nullopt;
}

} // namespace postrider::agent
