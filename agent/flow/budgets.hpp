#pragma once
// Budgets of a day, [budgets] of the configuration: which of them a model call counts against, and
// the error of one that is empty. Pure.
#include "agent/language/notices.hpp"
#include "base/error.hpp"
#include "storage/stores/budgets.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

namespace flow {
struct execution_input;
}

// total, user, chat, agent and flow.
std::vector<std::string_view> const& budget_scopes();

struct budgets {
    std::map<std::string, storage::spending, std::less<>> limits = {}; // by scope; none = unlimited
    storage::database* db = nullptr;
};

// Those that a call of this execution counts against. A job that answers nobody has no user and no
// chat.
std::vector<storage::budget> budgets_of(
    budgets const& configured, flow::execution_input const& input
);

// "your budget", "the budget of this chat".
std::string name_of_budget(
    std::string_view scope, std::string_view subject, language::notices const& words
);

// budget: nothing is left until the next day; the detail says so in English.
// overloaded, with a pause: calls in flight hold the rest.
base::error refusal(storage::empty_budget const& budget);

// The error is a refusal for an empty budget of ours, not a provider's; as it was recorded, too.
bool is_empty_budget(base::error const& failure);

} // namespace postrider::agent
