#include "agent/flow/start/execution_input.hpp"

#include "base/json.hpp"

namespace postrider::agent::flow {

boost::json::object item_of(heard_message const& heard, std::string_view text) {
    return {
        {"text", text},
        {"bot", base::raw(heard.from.bot)},
        {"chat", base::raw(heard.from.chat)},
        {"thread", base::raw(heard.from.thread)},
        {"user", base::raw(heard.user)},
        {"message", base::raw(heard.message)},
    };
}

boost::json::object item_of(posted_message const& posted, std::string_view text) {
    return {
        {"text", text},
        {"conversation", posted.conversation},
        {"user", base::raw(posted.user)},
    };
}

boost::json::value to_json(execution_input const& input) {
    boost::json::object made{
        {"flow", input.flow}, {"version", input.version}, {"agent", input.agent}};
    if (!input.trigger.empty()) made["trigger"] = input.trigger;
    if (input.heard) {
        made["bot"] = base::raw(input.heard->from.bot);
        made["chat"] = base::raw(input.heard->from.chat);
        made["thread"] = base::raw(input.heard->from.thread);
        made["user"] = base::raw(input.heard->user);
        made["message"] = base::raw(input.heard->message);
    }
    if (input.posted) {
        made["conversation"] = input.posted->conversation;
        made["user"] = base::raw(input.posted->user);
    }
    if (!input.data.is_null()) made["data"] = input.data;
    if (input.after_failure) made["after_failure"] = true;
    if (input.silent) made["silent"] = true;
    if (input.history)
        made["history"] = {
            {"lane", base::raw(input.history->lane)}, {"before", base::raw(input.history->job)}};
    if (!input.start.empty()) made["start"] = input.start;
    if (input.only) made["only"] = true;
    if (!input.pinned.empty()) made["pinned"] = input.pinned;
    return made;
}

base::result<execution_input> execution_input_from(boost::json::value const& input) {
    base::json_reader root{input};
    execution_input read;
    read.flow = root["flow"].string();
    read.version = root["version"].int64();
    read.trigger = root["trigger"].string_or("");
    read.agent = root["agent"].string_or(read.agent);
    if (root["chat"]) {
        heard_message heard;
        heard.from.bot = bot_id{root["bot"].int64()};
        heard.from.chat = chat_id{root["chat"].int64()};
        heard.from.thread = thread_id{root["thread"].int64_or(0)};
        heard.user = user_id{root["user"].int64_or(0)};
        heard.message = telegram_message_id{root["message"].int64_or(0)};
        read.heard = heard;
    }
    if (root["conversation"])
        read.posted =
            posted_message{root["conversation"].string(), user_id{root["user"].int64_or(0)}};
    if (auto const* data = root["data"].raw()) read.data = *data;
    read.after_failure = root["after_failure"].boolean_or(false);
    read.silent = root["silent"].boolean_or(false);
    if (auto const history = root["history"])
        read.history = {lane_id{history["lane"].int64()}, job_id{history["before"].int64()}};
    read.start = root["start"].string_or("");
    read.only = root["only"].boolean_or(false);
    if (auto const* pinned = root["pinned"].raw(); pinned && pinned->is_object())
        read.pinned = pinned->get_object();
    if (root.failed()) return root.failure();
    return read;
}

} // namespace postrider::agent::flow
