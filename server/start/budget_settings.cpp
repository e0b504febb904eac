#include "server/start/budget_settings.hpp"

#include "base/time_zone.hpp"

namespace postrider::server {

using enum base::setting_type;

std::vector<base::setting> budget_rows() {
    return {
        {"budgets.timezone",
         "",
         text,
         "UTC",
         "",
         "where a day begins, for usage: a name such as Europe/Berlin"},
    };
}

void read_budgets(base::settings const& from, config& into, std::vector<std::string>& problems) {
    into.timezone = from.text("budgets.timezone");
    if (auto const zone = base::find_time_zone(into.timezone); !zone)
        problems.push_back("budgets.timezone: " + zone.error().detail);
}

} // namespace postrider::server
