#pragma once
// Private to agent/tools: places that people name and no zone of the IANA database is named after,
// each once. Their zones are those of tzdata's zone1970.tab.
#include <span>
#include <string_view>

namespace postrider::agent {

struct zone_places {
    std::string_view zone;
    std::string_view places; // in any case, divided by |
};

std::span<zone_places const> zones_of_places() noexcept;

// Countries and states with clocks that differ, as zones_of_places() writes places.
std::string_view places_with_several_zones() noexcept;

} // namespace postrider::agent
