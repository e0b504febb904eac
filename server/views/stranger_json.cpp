#include "server/views/stranger_json.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

boost::json::object strangers_json(std::vector<storage::known_stranger> const& strangers) {
    boost::json::array all;
    for (auto const& stranger : strangers)
        all.push_back(boost::json::object{
            {"bot", stranger.bot},
            {"user_id", base::raw(stranger.user)},
            {"chat_id", base::raw(stranger.chat)},
            {"name", stranger.name},
            {"refused", stranger.refused},
            {"first_seen_at", stranger.first_seen_at},
            {"last_seen_at", stranger.last_seen_at}});
    return {{"strangers", std::move(all)}};
}

} // namespace postrider::server
