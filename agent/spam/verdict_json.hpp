#pragma once
// Verdicts of the spam filter as JSON, for the API, the command line and records. Pure.
#include "agent/spam/verdict.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::spam {

// {"is_spam", "points", "threshold", "reason", "checks": [{"check", "score", "weight", "points", "reason"}]}
boost::json::object verdict_json(spam::verdict const& verdict);
// Tolerant, and without results of checks that this program does not have.
spam::verdict verdict_from(boost::json::value const& verdict);
// Likewise of the member "checks" alone.
std::vector<check_result> results_from(boost::json::value const& results);

} // namespace postrider::agent::spam
