#pragma once
// Calls of models that a person causes outside of any job, such as the vector of a question: they count against the
// budgets, and are in the audit, as those of turns. What takes a transaction throws as transaction::query() does.
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/random.hpp"
#include "storage/database.hpp"
#include "storage/stores/budgets.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {
class embedder;        // agent/models/embedding/embedder.hpp
struct embedded_texts; // likewise
} // namespace postrider::agent

namespace postrider::server {

using spending_by_scope = std::map<std::string, storage::spending, std::less<>>;

// What a call of this person's counts against; no chat, agent or flow makes it. 0: nobody in particular.
std::vector<storage::budget> budgets_of_person(spending_by_scope const& limits, user_id person);

// No job makes the call: a number of its own below zero keeps its reservation from those of others.
storage::reservation_key fresh_reservation(base::random_source& random);

// The call for the vector of a question.
struct question_call {
    std::string model;   // of the embedder
    std::string subject; // what is searched: "collection:handbook"
    std::size_t bytes = 0;
    std::vector<storage::budget> budgets = {};
    storage::reservation_key key = {};
    storage::spending estimate = {};
};
question_call question_call_of(
    agent::embedder const& server,
    std::string subject,
    std::string_view question,
    std::vector<storage::budget> budgets,
    base::random_source& random
);

// Nothing: it is reserved. budget, overloaded: as agent::refusal() says; the audit has the stop.
std::optional<base::error> begin_call(
    storage::transaction& tx, question_call const& call, std::chrono::milliseconds longest_call
);
// What it paid is spent, and the audit says how it went.
void end_call(
    storage::transaction& tx,
    question_call const& call,
    agent::embedder const& server,
    base::result<agent::embedded_texts> const& embedded
);

} // namespace postrider::server
