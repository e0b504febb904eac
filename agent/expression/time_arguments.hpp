#pragma once
// Arguments of functions that are times. Instants and zones are texts, durations numbers of
// seconds or texts such as 1h30m.
#include "agent/expression/functions.hpp"
#include "agent/expression/moment.hpp"
#include "agent/expression/time_values.hpp"

namespace postrider::agent::expressions {

fallible<timestamp> instant_argument(call const& call, std::size_t index);
fallible<double> duration_argument(call const& call, std::size_t index);
// UTC when there are fewer arguments.
fallible<zone> zone_argument(call const& call, std::size_t index);
// The instant as clocks of the zone show it.
fallible<moment> moment_argument(call const& call, std::size_t instant, std::size_t zone);

} // namespace postrider::agent::expressions
