#include "agent/talk/member_change.hpp"

#include "base/json/json.hpp"

namespace postrider::agent {

namespace json = boost::json;

json::object to_json(member_change const& change) {
    auto event = to_json(change.at);
    event["user"] = base::raw(change.user);
    event["name"] = change.name;
    event["standing"] = to_string(change.now);
    event["before"] = to_string(change.before);
    event["by"] = base::raw(change.by);
    return event;
}

base::result<member_change> member_change_from(json::value const& event) {
    base::json_reader const from{event};
    member_change change;
    change.at = address_from(from);
    change.user = user_id{from["user"].int64()};
    change.name = from["name"].string_or("");
    auto const now = standing_from_string(from["standing"].string());
    auto const before = standing_from_string(from["before"].string());
    change.by = user_id{from["by"].int64()};
    if (from.failed()) return from.failure();
    if (!now || !before)
        return base::error(base::errc::invalid, "a member's standing is none that is known");
    change.now = *now;
    change.before = *before;
    return change;
}

} // namespace postrider::agent
