#include "agent/tools/person_zone.hpp"

#include "agent/describe/bounds.hpp"
#include "agent/language/utc_offset.hpp"
#include "agent/tools/places.hpp"
#include "storage/stores/persons.hpp"

#include <fmt/format.h>

namespace postrider::agent {

namespace {

using namespace std::chrono_literals;
using base::errc;
using base::error;

// Zones of the database have whole hours of offset, with the sign turned round.
base::result<base::time_zone> zone_of_offset(std::chrono::minutes offset) {
    auto const hours = std::chrono::floor<std::chrono::hours>(offset);
    if (hours != offset) return error(errc::invalid, "an offset has whole hours; name a city");
    if (hours == 0h) return base::find_time_zone("UTC");
    return base::find_time_zone(fmt::format("Etc/GMT{:+}", -hours.count()));
}

} // namespace

base::result<base::time_zone> read_zone(std::string const& name) {
    if (auto const offset = parse_utc_offset(name)) return zone_of_offset(*offset);
    auto const place = find_place(name);
    if (place) return *place;
    auto failure = place.error();
    failure.detail += "; timezone is a city, a country or a name such as Europe/Berlin";
    return failure;
}

base::awaitable<base::result<std::optional<base::time_zone>>> zone_of_person(
    tool_context const& context
) {
    auto const& person = context.requester();
    auto name = person.timezone;
    if (person.user != user_id{} && context.reads()) {
        auto set =
            co_await storage::read_person(*context.reads(), person.user, bounds::longest_read);
        if (!set) co_return set.error();
        if (!set->timezone.empty()) name = std::move(set->timezone);
    }
    std::optional<base::time_zone> zone;
    if (name.empty()) co_return zone;
    // A zone that this machine does not know (any more) is none.
    if (auto const time_zone = base::find_time_zone(name)) zone = *time_zone;
    co_return zone;
}

} // namespace postrider::agent
