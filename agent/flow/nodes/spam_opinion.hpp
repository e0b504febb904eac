#pragma once
// What a model is asked about a message of a group, and what its answer says. Whatever people wrote is marked as data. Pure.
#include "agent/flow/nodes/spam_item.hpp"
#include "agent/spam/outside.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace postrider::agent::flow {

// Parameters of an agent, as agent.json describes them. `lines`: messages of the chat, the oldest first.
boost::json::object spam_question(spam_item const& item, std::vector<std::string> const& lines);
// What an answer is kept for: the words, and where they lead. A link behind the same words may be another one.
std::string asked_words(spam::message const& message);
// Of an answer that fits the question's schema.
spam::opinion opinion_from(boost::json::value const& answer);

} // namespace postrider::agent::flow
