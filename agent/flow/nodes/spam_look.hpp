#pragma once
// What the node spam.check found before it may ask a model, as its first step records it. A value; pure.
#include "agent/spam/outside.hpp"
#include "agent/spam/verdict.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>

namespace postrider::agent::flow {

struct spam_look {
    std::string unchecked = {}; // why nothing was judged; "" = it was
    spam::verdict verdict = {}; // without a model's word
    bool is_kept = false;       // the verdict, even if it is no spam
    bool may_count = false;     // towards approval, if it is no spam
    bool asks_model = false;
    std::optional<spam::opinion> opinion = {}; // a model's earlier word on the text
    bool asked_register = false;
    std::optional<bool> is_registered = {}; // as it answered then
};

boost::json::object to_json(spam_look const& look);
spam_look spam_look_from(boost::json::value const& look);

} // namespace postrider::agent::flow
