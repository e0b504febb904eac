#include "agent/talk/messenger.hpp"

#include "base/names.hpp"

namespace postrider::agent {

namespace {

using enum member_standing;

constexpr base::names<member_standing, 6> standings{{
    {owner, "owner"},
    {administrator, "administrator"},
    {member, "member"},
    {restricted, "restricted"},
    {left, "left"},
    {banned, "banned"},
}};

} // namespace

std::string_view to_string(member_standing standing) noexcept {
    return base::name_of(standings, standing);
}

std::optional<member_standing> standing_from_string(std::string_view name) noexcept {
    return base::named(standings, name);
}

} // namespace postrider::agent
