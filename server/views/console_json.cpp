#include "server/views/console_json.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

boost::json::value person_or_null(user_id user) {
    return user == user_id{} ? boost::json::value() : boost::json::value(base::raw(user));
}

boost::json::object console_sessions_json(
    std::vector<storage::console_session> const& sessions, int limit, console_session_id current
) {
    boost::json::array all;
    for (auto const& session : sessions) {
        auto const role = storage::to_string(session.role);
        all.push_back(boost::json::object{
            {"session_id", base::raw(session.id)},
            {"role", boost::json::string_view(role.data(), role.size())},
            {"user_id", person_or_null(session.user)},
            {"created_at", session.created_at},
            {"last_seen_at", session.last_seen_at},
            {"expires_at", session.expires_at},
            {"current", session.id == current}});
    }
    boost::json::object page{{"sessions", std::move(all)}};
    if (std::ssize(sessions) == limit) page["next"] = base::to_string(sessions.back().id);
    return page;
}

} // namespace postrider::server
