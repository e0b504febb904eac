#pragma once
// What many callers look at again and again and what takes long to read: one reading serves all who ask
// on this node within some seconds. On the loop's thread; outlives the routes.
#include "server/api/endpoints.hpp"
#include "server/views/attention.hpp"
#include "server/views/finding.hpp"
#include "server/views/overview.hpp"
#include "server/views/recent_reading.hpp"
#include "storage/database.hpp"

namespace postrider::api {

class shared_readings {
public:
    // All outlive them. Without an installation nothing is known beside the database.
    shared_readings(
        storage::database& reports,
        base::clock const& clock,
        std::optional<installation> const& installed,
        agent::flow::validator const& validator
    );

    server::recent_reading<server::overview> overview;
    server::recent_reading<server::attention> attention;
    server::recent_reading<std::vector<server::bot_state>> bots;     // asks Telegram
    server::recent_reading<std::vector<server::group_state>> groups; // likewise
    server::recent_reading<server::findings> doctor; // nothing is wrong without an installation
};

} // namespace postrider::api
