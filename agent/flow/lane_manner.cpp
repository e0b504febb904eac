#include "agent/flow/lane_manner.hpp"

namespace postrider::agent::flow {

storage::lane_manner manner_of(settings const& settings) {
    storage::lane_manner manner;
    if (!settings.mailbox.empty()) manner.mailbox = settings.mailbox;
    manner.debounce = settings.debounce.value_or(manner.debounce);
    return manner;
}

} // namespace postrider::agent::flow
