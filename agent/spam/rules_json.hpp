#pragma once
// Rules of the spam filter as JSON: {"links.weight": 100, "flood.on": false, "prohibited_scripts.scripts": ["arabic"]}. Pure.
#include "agent/spam/rules.hpp"
#include "base/error.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::spam {

// The rules with these changed. Errors as of rules::set(); invalid also for a value that no rule has.
base::result<rules> changed_rules(boost::json::object const& changes, rules changed = {});

} // namespace postrider::agent::spam
