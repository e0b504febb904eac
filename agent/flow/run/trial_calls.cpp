#include "agent/flow/run/trial_calls.hpp"

#include "base/json/error_data.hpp"
#include "base/json/json.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

json::object to_json(recorded_call const& call) {
    json::object object{{"tool", call.tool}, {"arguments", call.arguments}};
    if (call.result) {
        object["result"] = *call.result;
    } else {
        auto const& failure = call.result.error();
        object["error"] = {
            {"code", base::to_string(failure.code)},
            {"message", failure.detail},
            {"data", base::data_of(failure)}};
    }
    return object;
}

json::value const* find_call(
    trial const& trial, std::string_view tool, json::value const& arguments
) {
    auto const is_same = [&](json::value const& recorded) {
        base::json_reader const fields(recorded);
        auto const* own = fields["arguments"].raw();
        return fields["tool"].string_or("") == tool && own && *own == arguments;
    };
    auto const place = std::ranges::find_if(trial.calls, is_same);
    return place == trial.calls.end() ? nullptr : &*place;
}

queue::step_value outcome_of(json::value const& recorded) {
    base::json_reader const fields(recorded);
    if (auto const* result = fields["result"].raw()) return *result;
    auto const code = base::errc_from_string(fields["error"]["code"].string_or(""));
    base::error failure(
        code.value_or(base::errc::internal), fields["error"]["message"].string_or("")
    );
    if (auto const* data = fields["error"]["data"].raw()) base::add_data(failure, *data);
    return failure;
}

} // namespace postrider::agent::flow
