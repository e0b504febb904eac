#include "base/json/error_data.hpp"

#include "base/json/json.hpp"

#include <boost/json/object.hpp>

namespace postrider::base {

boost::json::value data_of(error const& failure) {
    boost::json::object data;
    if (!failure.reason.empty()) data["reason"] = failure.reason;
    if (failure.until) data["until"] = failure.until->time_since_epoch().count();
    if (data.empty()) return {};
    return data;
}

void add_data(error& failure, boost::json::value const& data) {
    json_reader const from{data};
    failure.reason = from["reason"].string_or(failure.reason);
    if (auto const until = from["until"].int64_or(0); until > 0)
        failure.until.emplace(std::chrono::seconds{until});
}

} // namespace postrider::base
