#include "agent/models/reply_json.hpp"

#include "base/json/json.hpp"
#include "base/json/jsonb_form.hpp"
#include "base/names.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent {

namespace json = boost::json;

namespace {

constexpr base::names<call_author, 3> author_names{{
    {call_author::model, "model"},
    {call_author::rules, "rules"},
    {call_author::lookup, "lookup"},
}};

} // namespace

json::array to_json(std::vector<tool_call> const& calls) {
    json::array array;
    for (auto const& call : calls) {
        json::object object{{"id", call.id}, {"name", call.name}};
        if (call.arguments.is_object())
            object["arguments"] = call.arguments;
        else
            object["raw"] = call.raw;
        if (call.by != call_author::model) object["by"] = base::name_of(author_names, call.by);
        array.push_back(std::move(object));
    }
    return array;
}

std::vector<tool_call> calls_from_json(json::value const& recorded) {
    std::vector<tool_call> calls;
    base::json_reader root{recorded};
    for (auto const& item : root.items_or_none()) {
        tool_call call{item["id"].string_or(""), item["name"].string_or(""), nullptr, {}};
        if (item["arguments"].is_object())
            call.arguments = *item["arguments"].raw();
        else
            call.raw = item["raw"].string_or("");
        auto const by = base::named(author_names, item["by"].string_or(""));
        call.by = by.value_or(call_author::model);
        calls.push_back(std::move(call));
    }
    return calls;
}

json::value to_json(chat_reply const& reply) {
    json::object object{
        {"text", reply.text},
        {"stop", to_string(reply.stop)},
        {"model", reply.model},
        {"usage",
         json::object{
             {"input", reply.usage.input},
             {"cached", reply.usage.cached},
             {"cache_written", reply.usage.cache_written},
             {"output", reply.usage.output},
         }},
    };
    if (!reply.calls.empty()) object["calls"] = to_json(reply.calls);
    if (!reply.left_open.is_null()) object["left_open"] = reply.left_open;
    if (!reply.provider_state.is_null()) {
        // So that it is sent at once as it is sent when it was read from the record.
        auto& state = object["state"] = reply.provider_state;
        base::to_jsonb_form(state);
    }
    return object;
}

base::result<chat_reply> reply_from_json(json::value const& recorded) {
    base::json_reader root{recorded};
    chat_reply reply;
    reply.text = root["text"].string();
    auto stop = stop_reason_from_string(root["stop"].string());
    if (root.failed()) return root.failure();
    if (!stop)
        return base::error(base::errc::invalid, "a recorded reply stopped for no known reason");
    reply.stop = *stop;
    reply.model = root["model"].string_or("");
    reply.usage.input = root["usage"]["input"].int64_or(0);
    reply.usage.cached = root["usage"]["cached"].int64_or(0);
    reply.usage.cache_written = root["usage"]["cache_written"].int64_or(0);
    reply.usage.output = root["usage"]["output"].int64_or(0);
    if (auto calls = root["calls"]) reply.calls = calls_from_json(*calls.raw());
    if (auto state = root["state"]) reply.provider_state = *state.raw();
    if (auto open = root["left_open"]) reply.left_open = *open.raw();
    return reply;
}

} // namespace postrider::agent
