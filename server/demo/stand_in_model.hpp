#pragma once
// A model for demo mode, which has none: it answers by the same fixed rules as the agents do without a
// model, and is asked as any model is, so that a call of it can fail.
#include "agent/models/model.hpp"
#include "base/clock.hpp"
#include "base/time_zone.hpp"

#include <memory>

namespace postrider::server {

// `zone`: of the person. The clock outlives it.
std::unique_ptr<agent::model> make_stand_in(base::clock const& clock, base::time_zone zone);

} // namespace postrider::server
