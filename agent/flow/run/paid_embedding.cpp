#include "agent/flow/parts/paid_embedding.hpp"

#include "agent/flow/run/audit_trail.hpp"
#include "agent/flow/run/budget_reservations.hpp"
#include "agent/loop/token_window.hpp"

#include <optional>

namespace postrider::agent::flow {

base::awaitable<base::result<embedded_texts>> embed_paid(
    embedder& server,
    embedding_payer payer,
    std::string step,
    std::vector<std::string> texts,
    std::chrono::milliseconds timeout,
    std::string audited
) {
    auto const path = payer.steps.prefix() + step;
    std::string all_texts;
    for (auto const& text : texts) all_texts.append(text).append("\n");
    auto const tokens = std::ssize(all_texts) / bytes_of_a_token + 1;
    std::optional<budget_reservations::call> reservation;
    if (payer.reservations) {
        storage::spending const estimated{1, tokens, server.cost_micro(tokens)};
        auto const number = co_await payer.reservations->reserve(estimated, timeout);
        if (!number && payer.audit && number.error() == base::errc::budget)
            payer.audit->budget_stopped(path, server.name(), number.error());
        if (!number) co_return number.error();
        reservation.emplace(*payer.reservations, *number);
        reservation->pay(estimated); // where nobody waits for its answer, it is paid all the same
    }
    if (audited.empty()) audited = std::move(all_texts);
    audit_trail::model_question question{server.name(), std::move(audited), texts.size(), 0};
    auto embedded = co_await server.embed(std::move(texts), timeout);
    queue::usage used;
    if (embedded) {
        used.tokens_in = embedded->tokens;
        used.cost_micro = server.cost_micro(embedded->tokens);
        payer.steps.spend(step, used);
    }
    if (reservation) reservation->pay({embedded ? 1 : 0, used.tokens_in, used.cost_micro});
    queue::step_value outcome = boost::json::value();
    if (!embedded) outcome = embedded.error();
    if (payer.audit) payer.audit->model_called(path, std::move(question), outcome, used);
    co_return std::move(embedded);
}

bool may_be_one_text(base::error const& failure) {
    bool const is_refusal = failure == base::errc::refused || failure == base::errc::invalid ||
                            failure == base::errc::context_too_long;
    return is_refusal && failure.reason != wrong_vector;
}

} // namespace postrider::agent::flow
