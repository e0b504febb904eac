#include "server/start/start_failure.hpp"

#include <string>

namespace postrider::server {

base::error cannot(std::string_view doing, base::error const& reason) {
    return {reason.code, "cannot " + std::string(doing) + ": " + reason.detail};
}

base::error cannot_listen(base::error const& reason) {
    return {
        reason.code,
        reason.detail + "; server.listen (--listen, POSTRIDER_LISTEN) names another address"};
}

} // namespace postrider::server
