#pragma once
// Sessions of the console as the API and `console sessions --json` write them: never a cookie, never
// its hash. Pure.
#include "storage/stores/console.hpp"

#include <boost/json/object.hpp>

#include <vector>

namespace postrider::server {

// A person's id; null for nobody.
boost::json::value person_or_null(user_id user);

// {"sessions": […], "next"?}: next where the page is full. `current` is the session that asks; 0 = none.
boost::json::object console_sessions_json(
    std::vector<storage::console_session> const& sessions, int limit, console_session_id current
);

} // namespace postrider::server
