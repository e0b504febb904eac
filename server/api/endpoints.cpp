#include "server/api/endpoints.hpp"

#include "server/api/event_stream.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::api {

void add_shared_watchers(resources& all) {
    all.watchers_of_executions = std::make_shared<execution_watchers>();
    if (!all.conversations) return;
    all.watchers_of_conversations = std::make_shared<shared_conversations>(*all.conversations);
    if (!all.executions || !all.readings) return;
    all.watchers_of_events = std::make_shared<event_watchers>(
        *all.executions,
        all.watchers_of_executions,
        all.watchers_of_conversations,
        all.random,
        all.readings,
        all.demo
    );
}

std::vector<endpoint> all_endpoints(resources const& resources) {
    std::vector<endpoint> endpoints;
#define ENDPOINTS(name)                                                                            \
    std::ranges::move(                                                                             \
        described_by(name##_part(), name##_endpoints(resources)), std::back_inserter(endpoints)    \
    );
#include "server/api/endpoints.def"
#undef ENDPOINTS
    return endpoints;
}

} // namespace postrider::api
