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
    base::json_reader const fields{event};
    member_change change;
    change.at = address_from(fields);
    change.user = user_id{fields["user"].int64()};
    change.name = fields["name"].string_or("");
    auto const now = standing_from_string(fields["standing"].string());
    auto const before = standing_from_string(fields["before"].string());
    change.by = user_id{fields["by"].int64()};
    if (fields.failed()) return fields.failure();
    if (!now || !before)
        return base::error(base::errc::invalid, "a member's standing is none that is known");
    change.now = *now;
    change.before = *before;
    return change;
}

} // namespace postrider::agent
