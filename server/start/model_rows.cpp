// The rows of [models.NAME] and [agents.NAME].
#include "agent/describe/bounds.hpp"
#include "agent/describe/folded_text.hpp"
#include "agent/flow/model_failure_policy.hpp"
#include "agent/models/provider.hpp"
#include "server/start/model_settings.hpp"

#include <fmt/format.h>

#include <deque>

namespace postrider::server {

using agent::operator""_folded; // NOLINT(misc-unused-using-decls): clang-tidy passes over literals
using enum base::setting_type;

namespace {

// Texts that the table is made of and that live as long as the program.
std::string_view kept_row(std::string text) {
    static std::deque<std::string> texts;
    return texts.emplace_back(std::move(text));
}

template<class T>
std::string_view range_of(agent::bounds::range<T> const& bound) {
    return kept_row(to_text(bound));
}

std::string_view number(int value) {
    return kept_row(std::to_string(value));
}

std::string seconds_of(std::chrono::milliseconds span) {
    return std::to_string(std::chrono::round<std::chrono::seconds>(span).count()) + "s";
}

std::string_view names_of_providers() {
    std::string names;
    for (auto const* provider : agent::providers())
        names.append(names.empty() ? "" : "|").append(provider->name);
    return kept_row(std::move(names));
}

// Of those that have several.
std::string_view names_of_apis() {
    std::string names;
    for (auto const* provider : agent::providers())
        for (auto const& api : provider->apis)
            if (provider->apis.size() > 1) names.append(names.empty() ? "" : "|").append(api.name);
    return kept_row(std::move(names));
}

// As a constraint of the table.
template<class Choices>
std::string_view names_of(Choices const& choices) {
    std::string names;
    for (auto const& choice : choices) names.append(names.empty() ? "" : "|").append(choice.name);
    return kept_row(std::move(names));
}

template<class Choices>
std::string meanings_of(Choices const& choices) {
    std::string text;
    for (auto const& choice : choices)
        text += fmt::format("{}`{}`: {}.", text.empty() ? "" : " ", choice.name, choice.meaning);
    return text;
}

constexpr std::string_view price_range = "0..100000000";

} // namespace

std::vector<base::setting> model_rows() {
    namespace bounds = agent::bounds;
    return {
        {"models.*.provider",
         "",
         text,
         "",
         names_of_providers(),
         R"(
            Provider of the model. Empty: the default provider, which depends on the API keys
            that are set.
        )"_folded},
        {"models.*.model", "", text, "", "", R"(
            The provider's name of the model. Empty: the provider's default, such as
            `anthropic.model`.
        )"_folded},
        {"models.*.timeout",
         "",
         span,
         kept_row(seconds_of(bounds::model_timeout.usual)),
         range_of(bounds::model_timeout),
         "Time limit of one call."},
        {"models.*.max_tokens",
         "",
         integer,
         number(bounds::entry_tokens.usual),
         range_of(bounds::entry_tokens),
         "Maximum length of one answer in tokens."},
        {"models.*.stream",
         "",
         text,
         agent::streaming_choices().front().name,
         names_of(agent::streaming_choices()),
         kept_row("When to stream answers. " + meanings_of(agent::streaming_choices()))},
        {"models.*.vision",
         "",
         text,
         "",
         "true|false",
         R"(
            Whether the model accepts images. Empty: as `postrider models list` shows; an
            unlisted model gets images until it rejects one.
        )"_folded},
        {"models.*.tools",
         "",
         text,
         "",
         "true|false",
         R"(
            Whether the model can call tools. Empty: as `postrider models list` shows; an
            unlisted model gets tools until it rejects them.
        )"_folded},
        {"models.*.base_url",
         "",
         url,
         "",
         "",
         R"(
            Address of the model's server. Empty: the provider's. A different server gets the
            provider's API key only with `share_key`.
        )"_folded},
        {"models.*.api",
         "",
         text,
         "",
         names_of_apis(),
         "API of the model's server. Empty: `openai.api`."},
        {"models.*.api_key", "", secret, "", "", "API key for this model. Empty: the provider's."},
        {"models.*.share_key",
         "",
         text,
         "false",
         "true|false",
         R"(
            `true`: the provider's API key is also sent to this model's `base_url`, whoever
            runs that server.
        )"_folded},
        {"models.*.requests_per_minute",
         "",
         integer,
         "0",
         "0..1000000",
         R"(
            Limit on calls per minute, shared by all processes. 0: no limit except the
            provider's.
        )"_folded},
        {"models.*.input_price",
         "",
         integer,
         "",
         price_range,
         R"(
            Price of a million input tokens in US cents. Empty: the vendor's list price, if
            `postrider models list` shows it.
        )"_folded},
        {"models.*.cached_price",
         "",
         integer,
         "",
         price_range,
         R"(
            Price of a million tokens from the provider's prompt cache, in US cents. Empty:
            the model's usual share of `input_price`.
        )"_folded},
        {"models.*.output_price",
         "",
         integer,
         "",
         price_range,
         "Price of a million output tokens in US cents. Empty: as for `input_price`."},

        {"agents.*.model",
         "",
         words,
         "default",
         "",
         R"(
            The NAME of a `[models.NAME]`, or several. The next one answers if a model fails
            permanently or its circuit breaker is open.
        )"_folded,
         "assistant"},
        {"agents.*.history",
         "",
         integer,
         number(bounds::history.usual),
         range_of(bounds::history),
         R"(
            Number of recent messages of the person and the agent in the model's context. Calls of
            tools and their results come with them and are not counted.
        )"_folded,
         "assistant"},
        {"agents.*.history_slack",
         "",
         integer,
         number(bounds::history_slack.usual),
         range_of(bounds::history_slack),
         R"(
            How many more recent messages may be in the context. With some, it begins at the same
            message for several turns, so that prompt caches last longer.
        )"_folded,
         "assistant"},
        {"agents.*.history_tokens",
         "",
         integer,
         number(bounds::history_tokens.usual),
         range_of(bounds::history_tokens),
         R"(
            For agents that see their whole conversation, such as `todo`: its maximum length
            in tokens (of four bytes each). A longer conversation is cut, and the agent offers
            a new one, once.
        )"_folded,
         "assistant"},
        {"agents.*.max_tool_calls",
         "",
         integer,
         number(bounds::assistant_tool_calls.usual),
         range_of(bounds::assistant_tool_calls),
         R"(
            Maximum number of tool calls in one turn of the assistant. The todo agent's limit
            is 50.
        )"_folded,
         "assistant"},
        {"agents.*.max_repeats",
         "",
         integer,
         number(bounds::repeats.usual),
         range_of(bounds::repeats),
         R"(
            Number of tool calls without new results after which the agent must answer with
            the results it has.
        )"_folded,
         "assistant"},
        {"agents.*.persona",
         "",
         text,
         "",
         "",
         R"(
            Role and personality in the assistant's system prompt. Empty: the built-in
            persona.
        )"_folded,
         "assistant"},
        {"agents.*.when_model_fails",
         "",
         text,
         "",
         names_of(agent::model_failure_choices()),
         R"(
            Reaction to a permanent failure of the last model, as in the agent node. Empty:
            the flow's own choice: `tell` for the assistant, `rules` for the todo agent.
        )"_folded,
         "assistant"},
    };
}

} // namespace postrider::server
