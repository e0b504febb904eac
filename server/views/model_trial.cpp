#include "server/views/model_trial.hpp"

#include "agent/models/factory.hpp"
#include "agent/models/provider.hpp"
#include "server/start/model_prices.hpp"
#include "server/views/json_values.hpp"

namespace postrider::server {

namespace {

using base::errc;

constexpr std::string_view tiny_question = "Say hello in one short sentence.";
constexpr int trial_tokens = 256; // models that think first need some
constexpr std::int64_t question_tokens = 50;

std::string asked_model(agent::model_options const& options) {
    if (!options.model.empty()) return options.model;
    return std::string(agent::find_provider(options.provider)->default_model);
}

std::string_view meaning_of(errc code) {
    switch (code) {
    case errc::unauthorized:
        return "The provider does not accept the key.";
    case errc::not_found:
        return "The provider does not know this model.";
    case errc::rate_limited:
    case errc::overloaded:
        return "The provider has too many requests now. Try again later.";
    case errc::budget:
        return "The account at the provider has nothing left.";
    case errc::timeout:
    case errc::unavailable:
        return "The provider does not answer.";
    case errc::refused:
        return "The provider refuses the question.";
    default:
        return "The provider does not take the request.";
    }
}

} // namespace

storage::spending most_of_trial(config const& settings, std::string const& entry) {
    auto const prices = prices_of(settings, entry, asked_model(settings.models.at(entry)));
    agent::token_usage const most{.input = question_tokens, .output = trial_tokens};
    return {1, question_tokens + trial_tokens, agent::cost_micro(most, prices)};
}

base::awaitable<model_trial> try_model(
    config const& settings, std::string entry, net::http_client& http, base::clock& clock
) {
    auto options = settings.models.at(entry);
    options.timeout = longest_trial;
    model_trial trial{.provider = options.provider, .model = asked_model(options)};
    auto const model = agent::make_model(options, http, clock);
    if (!model) {
        trial.failure = model.error();
        co_return trial;
    }
    agent::chat_request request;
    request.messages.push_back({.content = std::string(tiny_question)});
    request.max_tokens = trial_tokens;
    auto const started_at = clock.steady();
    auto const reply = co_await (*model)->chat(std::move(request));
    trial.took = std::chrono::duration_cast<std::chrono::milliseconds>(clock.steady() - started_at);
    if (!reply) {
        trial.failure = reply.error();
        co_return trial;
    }
    auto const prices = prices_of(settings, entry, trial.model);
    trial.answer = reply->text;
    trial.usage = reply->usage;
    trial.cost_micro = agent::cost_micro(reply->usage, prices);
    if (!reply->model.empty()) trial.model = reply->model;
    co_return trial;
}

std::string failure_in_words(base::error const& failure) {
    std::string words(meaning_of(failure.code));
    return failure.detail.empty() ? words : words + " " + failure.detail;
}

boost::json::object to_json(std::string const& entry, model_trial const& trial) {
    bool const is_answered = !trial.failure;
    auto const or_nothing = [is_answered](boost::json::value value) {
        return is_answered ? std::move(value) : boost::json::value();
    };
    return {
        {"entry", entry},
        {"provider", trial.provider},
        {"model", trial.model},
        {"ok", is_answered},
        {"answer", or_nothing(boost::json::string(trial.answer))},
        {"failure",
         is_answered ? boost::json::value() : boost::json::value(failure_in_words(*trial.failure))},
        {"took_ms", trial.took.count()},
        {"tokens_in", or_nothing(trial.usage.input)},
        {"tokens_out", or_nothing(trial.usage.output)},
        {"cost", or_nothing(cents_or_null(trial.cost_micro))}};
}

} // namespace postrider::server
