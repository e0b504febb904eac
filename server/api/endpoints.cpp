#include "server/api/endpoints.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::api {

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
