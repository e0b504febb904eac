#include "server/api/endpoints.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::api {

std::vector<endpoint> all_endpoints(resources const& with) {
    std::vector<endpoint> all;
#define ENDPOINTS(name)                                                                            \
    std::ranges::move(described_by(name##_part(), name##_endpoints(with)), std::back_inserter(all));
#include "server/api/endpoints.def"
#undef ENDPOINTS
    return all;
}

} // namespace postrider::api
