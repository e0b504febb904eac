#include "server/views/person_calls.hpp"

#include "agent/flow/budgets.hpp"
#include "agent/loop/token_window.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "storage/stores/audit.hpp"

namespace postrider::server {

namespace {

constexpr std::chrono::seconds until_settled{60};

} // namespace

std::vector<storage::budget> budgets_of_person(spending_by_scope const& limits, user_id person) {
    std::vector<storage::budget> budgets;
    auto const total = limits.find("total");
    if (total != limits.end()) budgets.push_back({"total", "", total->second});
    auto const user = limits.find("user");
    if (user != limits.end() && person != user_id{})
        budgets.push_back({"user", base::to_string(person), user->second});
    return budgets;
}

storage::reservation_key fresh_reservation(base::random_source& random) {
    auto const number = static_cast<std::int64_t>(base::uint64(random) >> 2);
    return {job_id{-1 - number}, base::hex_token(random, 8), 1};
}

question_call question_call_of(
    agent::embedder const& server,
    std::string subject,
    std::string_view question,
    std::vector<storage::budget> budgets,
    base::random_source& random
) {
    auto const tokens = std::ssize(question) / agent::bytes_of_a_token + 1;
    question_call call{server.name(), std::move(subject), question.size()};
    call.budgets = std::move(budgets);
    call.key = fresh_reservation(random);
    call.estimate = {1, tokens, server.cost_micro(tokens)};
    return call;
}

std::optional<base::error> begin_call(
    storage::transaction& tx, question_call const& call, std::chrono::milliseconds longest_call
) {
    if (call.budgets.empty()) return std::nullopt;
    auto const lasts = std::chrono::ceil<std::chrono::seconds>(longest_call) + until_settled;
    auto const empty = storage::reserve(tx, call.key, call.budgets, call.estimate, lasts);
    if (!empty) return std::nullopt;
    auto refusal = agent::refusal(*empty);
    if (refusal == base::errc::budget)
        storage::audit_operation(
            tx, "budget_stop", {}, call.subject, {{"model", call.model}, {"reason", refusal.detail}}
        );
    return refusal;
}

void end_call(
    storage::transaction& tx,
    question_call const& call,
    agent::embedder const& server,
    base::result<agent::embedded_texts> const& embedded
) {
    auto const tokens = embedded ? embedded->tokens : 0;
    if (!call.budgets.empty())
        storage::settle(tx, call.key, {embedded ? 1 : 0, tokens, server.cost_micro(tokens)});
    storage::audit_operation(
        tx,
        "model_call",
        {},
        call.subject,
        {{"model", call.model},
         {"outcome", embedded ? "answered" : base::to_string(embedded.error().code)},
         {"bytes", call.bytes},
         {"messages", 1},
         {"tools", 0},
         {"tokens_in", tokens},
         {"tokens_out", 0}}
    );
}

} // namespace postrider::server
