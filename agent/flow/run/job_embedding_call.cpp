#include "agent/flow/run/job_embedding_call.hpp"

#include "agent/flow/parts/services.hpp"
#include "agent/loop/token_window.hpp"

namespace postrider::agent::flow {

job_embedding_call::job_embedding_call(node_services const& services, queue::workflow& steps)
    : steps_(steps),
      embedder_(*services.embedder),
      model_{embedder_.name(), embedder_.dimension()},
      audit_(steps, nobody_, services.random, services.audit_in_full) {
    if (services.budgets)
        reservations_.emplace(*services.budgets, steps, nobody_, base::nanoid(services.random));
}

base::awaitable<base::result<embedded_texts>> job_embedding_call::ask(
    std::vector<std::string> texts, std::string const& step
) {
    std::string all_texts;
    for (auto const& text : texts) all_texts.append(text).append("\n");
    auto const tokens = std::ssize(all_texts) / bytes_of_a_token + 1;
    std::optional<budget_reservations::call> reservation;
    if (reservations_) {
        storage::spending const estimated{1, tokens, embedder_.cost_micro(tokens)};
        auto const number = co_await reservations_->reserve(estimated, embedding_tries.timeout);
        if (!number) co_return number.error();
        reservation.emplace(*reservations_, *number);
        reservation->pay(estimated);
    }
    audit_trail::model_question question{embedder_.name(), std::move(all_texts), texts.size(), 0};
    auto embedded = co_await embedder_.embed(std::move(texts), embedding_tries.timeout);
    queue::usage used;
    if (embedded) {
        used.tokens_in = embedded->tokens;
        used.cost_micro = embedder_.cost_micro(embedded->tokens);
        steps_.spend(step, used);
    }
    if (reservation) reservation->pay({embedded ? 1 : 0, used.tokens_in, used.cost_micro});
    queue::step_value outcome = boost::json::value();
    if (!embedded) outcome = embedded.error();
    audit_.model_called(step, std::move(question), outcome, used);
    co_return std::move(embedded);
}

} // namespace postrider::agent::flow
