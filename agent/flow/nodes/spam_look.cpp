#include "agent/flow/nodes/spam_look.hpp"

#include "agent/spam/verdict_json.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

json::object to_json(spam_look const& look) {
    if (!look.unchecked.empty()) return {{"unchecked", look.unchecked}};
    json::object object{
        {"verdict", spam::verdict_json(look.verdict)},
        {"kept", look.is_kept},
        {"may_count", look.may_count},
        {"asks_model", look.asks_model}};
    if (look.opinion)
        object["opinion"] = {{"spam", look.opinion->is_spam}, {"reason", look.opinion->reason}};
    if (look.asked_register)
        object["registered"] =
            look.is_registered ? json::value(*look.is_registered) : json::value();
    return object;
}

spam_look spam_look_from(json::value const& value) {
    base::json_reader const root{value};
    spam_look look;
    look.unchecked = root["unchecked"].string_or("");
    if (auto const verdict = root["verdict"]) look.verdict = spam::verdict_from(*verdict.raw());
    look.is_kept = root["kept"].boolean_or(false);
    look.may_count = root["may_count"].boolean_or(false);
    look.asks_model = root["asks_model"].boolean_or(false);
    if (auto const opinion = root["opinion"])
        look.opinion =
            spam::opinion{opinion["spam"].boolean_or(false), opinion["reason"].string_or("")};
    auto const* members = value.if_object();
    look.asked_register = members && members->contains("registered");
    if (root["registered"]) look.is_registered = root["registered"].boolean_or(false);
    return look;
}

} // namespace postrider::agent::flow
