#pragma once
// The configuration as people may see it: every key with its value, secrets masked, and the place that it
// comes from. Pure.
#include "base/settings.hpp"

#include <boost/json/object.hpp>

#include <string_view>
#include <vector>

namespace postrider::server {

// default, file, environment or flag; of the source of a line.
std::string_view kind_of_source(std::string_view source) noexcept;

// {"settings": […]} in the order of the table; `set`: those alone that somebody has set.
boost::json::object settings_json(std::vector<base::settings::line> const& lines, bool set);

} // namespace postrider::server
