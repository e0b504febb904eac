#include "agent/flow/run/job_model_call.hpp"

#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/gate_hold.hpp"
#include "agent/loop/token_window.hpp"
#include "agent/recall/extraction.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr std::chrono::milliseconds patience_of_a_job = std::chrono::minutes{2};

storage::spending estimate_of(model_part const& part, chat_request const& question) {
    token_usage tokens;
    tokens.input = tokens_of(question.messages);
    tokens.output = question.max_tokens;
    return {1, tokens.input + tokens.output, cost_micro(tokens, part.prices)};
}

} // namespace

execution_input job_model_call::payer_of(std::string flow) {
    execution_input payer;
    payer.flow = std::move(flow);
    return payer;
}

job_model_call::job_model_call(
    node_services const& services, queue::workflow& steps, std::string flow
)
    : services_(services),
      steps_(steps),
      payer_(payer_of(std::move(flow))),
      audit_(steps, payer_, services.random, services.audit_in_full) {
    if (services.budgets)
        reservations_.emplace(*services.budgets, steps, payer_, base::nanoid(services.random));
}

base::awaitable<base::result<chat_reply>> job_model_call::ask(
    model_part const& part, chat_request question, std::string_view step
) {
    gate_hold hold(services_.limits, part.breaker, steps_.job().id);
    auto const longest_use = part.timeout + bounds::model_step_margin;
    auto admitted = co_await steps_.admit(part.breaker, patience_of_a_job, longest_use);
    if (!admitted) co_return admitted.error();
    hold.begin();
    if (part.rate != part.breaker)
        admitted = co_await steps_.admit(part.rate, patience_of_a_job, longest_use);
    if (!admitted) co_return admitted.error();
    auto const estimated = estimate_of(part, question);
    std::optional<budget_reservations::call> reservation;
    if (reservations_) {
        auto const number = co_await reservations_->reserve(estimated, part.timeout);
        if (!number) co_return number.error();
        reservation.emplace(*reservations_, *number);
        reservation->pay(estimated);
    }
    auto const& name = part.model->name();
    audit_trail::model_question audited{name, question_text(name, question), 1, 0};
    question.accepted = [&hold] { hold.accepted(); };
    auto reply = co_await part.model->chat(std::move(question));
    base::result<void> outcome_of_call;
    if (!reply) outcome_of_call = reply.error();
    hold.report(outcome_of_call);
    queue::usage used;
    if (reply) {
        auto const& tokens = reply->usage;
        used = {tokens.input, tokens.output, tokens.cached, cost_micro(tokens, part.prices)};
        steps_.spend(step, used);
    }
    if (reservation)
        reservation->pay({reply ? 1 : 0, used.tokens_in + used.tokens_out, used.cost_micro});
    queue::step_value outcome = boost::json::value();
    if (!reply) outcome = reply.error();
    audit_.model_called(std::string(step), std::move(audited), outcome, used);
    co_return std::move(reply);
}

base::awaitable<base::result<chat_reply>> job_model_call::ask_selected(
    model_part const& selected, chat_request question, std::string_view step
) {
    model_selection selection;
    selection.credential = selected.credential;
    selection.provider = selected.provider;
    selection.model = selected.selected;
    auto const part = services_.model(selection);
    if (!part) co_return part.error();
    question.max_tokens = std::min(part->max_tokens, question.max_tokens);
    co_return co_await ask(*part, std::move(question), step);
}

base::awaitable<base::result<std::string>> job_model_call::summarise(
    model_part const& selected, std::string prompt, summary_size most, std::string_view step
) {
    chat_request question;
    question.messages.push_back({.role = role::user, .content = std::move(prompt)});
    question.max_tokens = most.tokens;
    auto const reply = co_await ask_selected(selected, std::move(question), step);
    if (!reply) co_return reply.error();
    auto text = recall::first_words(reply->text, most.words);
    if (text.empty()) co_return base::error(base::errc::invalid, "the model's summary is empty");
    co_return text;
}

} // namespace postrider::agent::flow
