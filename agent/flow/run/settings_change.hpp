#pragma once
// What a person asks of /settings, and what the answer says. Pure.
#include "base/clock.hpp"
#include "storage/stores/persons.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::flow {

struct settings_change {
    enum class problem { none, setting, timezone, language };

    storage::person_settings settings = {}; // as they are then
    bool has_timezone = false;              // that is set, or taken away
    bool has_language = false;
    problem misunderstood = problem::none; // nothing changes then
    std::string misunderstood_text = {};   // of that
};

// "timezone Berlin", "language de", "Berlin" or "Deutsch" of "/settings Berlin"; "auto" takes a setting away.
settings_change change_of(storage::person_settings current, std::string_view argument);

// `usual_zone`: of people who have set none; "" = none. With examples unless something changed.
std::string settings_text(
    settings_change const& change,
    std::string_view language,
    std::string_view usual_zone,
    base::sys_time now
);

} // namespace postrider::agent::flow
