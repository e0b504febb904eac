#pragma once
// How a flow wants its lanes to take what arrives. Pure.
#include "agent/flow/document/definition.hpp"
#include "storage/stores/lanes.hpp"

namespace postrider::agent::flow {

storage::lane_manner manner_of(settings const& settings);

} // namespace postrider::agent::flow
