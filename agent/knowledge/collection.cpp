#include "agent/knowledge/collection.hpp"

#include "base/names.hpp"

#include <algorithm>

namespace postrider::agent::knowledge {

namespace {

constexpr std::size_t longest_collection_name = 64;

constexpr base::names<allowed_people, 2> people_names{{
    {allowed_people::owners, "owners"},
    {allowed_people::allowed, "allowed"},
}};

} // namespace

bool is_collection_name(std::string_view name) noexcept {
    // Removed documents wait in "-" (sql/functions/knowledge.sql).
    return !name.empty() && name != "-" && name.size() <= longest_collection_name &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
           });
}

std::string_view to_string(allowed_people people) noexcept {
    return base::name_of(people_names, people);
}

std::optional<allowed_people> allowed_people_from_string(std::string_view name) noexcept {
    return base::named(people_names, name);
}

bool may_search(collection_access const& access, std::string_view flow, bool is_owner) noexcept {
    if (access.people == allowed_people::owners && !is_owner) return false;
    return !access.flows || std::ranges::find(*access.flows, flow) != access.flows->end();
}

} // namespace postrider::agent::knowledge
