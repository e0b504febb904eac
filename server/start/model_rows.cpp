// The rows of [models.NAME] and [agents.NAME].
#include "agent/bounds.hpp"
#include "agent/folded_text.hpp"
#include "agent/model_failure_policy.hpp"
#include "agent/models/provider.hpp"
#include "server/start/model_settings.hpp"

#include <fmt/format.h>

#include <deque>

namespace postrider::server {

using agent::operator""_folded; // NOLINT(misc-unused-using-decls): clang-tidy passes over literals
using enum base::setting_type;

namespace {

// Texts that the table is made of and that live as long as the program.
std::string_view kept(std::string text) {
    static std::deque<std::string> texts;
    return texts.emplace_back(std::move(text));
}

template<class T>
std::string_view range_of(agent::bounds::range<T> const& bound) {
    return kept(to_text(bound));
}

std::string_view number(int value) {
    return kept(std::to_string(value));
}

std::string seconds_of(std::chrono::milliseconds span) {
    return std::to_string(std::chrono::round<std::chrono::seconds>(span).count()) + "s";
}

std::string_view names_of_providers() {
    std::string names;
    for (auto const* provider : agent::providers())
        names.append(names.empty() ? "" : "|").append(provider->name);
    return kept(std::move(names));
}

// Of those that have several.
std::string_view names_of_apis() {
    std::string names;
    for (auto const* provider : agent::providers())
        for (auto const& api : provider->apis)
            if (provider->apis.size() > 1) names.append(names.empty() ? "" : "|").append(api.name);
    return kept(std::move(names));
}

// As a constraint of the table.
template<class Choices>
std::string_view names_of(Choices const& choices) {
    std::string names;
    for (auto const& choice : choices) names.append(names.empty() ? "" : "|").append(choice.name);
    return kept(std::move(names));
}

template<class Choices>
std::string meanings_of(Choices const& choices) {
    std::string text;
    for (auto const& choice : choices)
        text += fmt::format("{}`{}` {}", text.empty() ? "" : "; ", choice.name, choice.meaning);
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
         "who serves; `models.default` is chosen by the keys present when it is not written"},
        {"models.*.model", "", text, "", "", "what is asked; empty = the provider's model above"},
        {"models.*.timeout",
         "",
         span,
         kept(seconds_of(bounds::model_timeout.usual)),
         range_of(bounds::model_timeout),
         "of one call"},
        {"models.*.max_tokens",
         "",
         integer,
         number(bounds::entry_tokens.usual),
         range_of(bounds::entry_tokens),
         "of one answer"},
        {"models.*.stream",
         "",
         text,
         agent::streaming_choices().front().name,
         names_of(agent::streaming_choices()),
         kept(
             "whether answers are asked for in pieces: " + meanings_of(agent::streaming_choices())
         )},
        {"models.*.vision",
         "",
         text,
         "",
         "true|false",
         "whether it is shown images; empty = as `postrider models list` knows it, else until it "
         "refuses one"},
        {"models.*.base_url",
         "",
         url,
         "",
         "",
         "empty = the provider's above. Another address gets no key but the model's own"},
        {"models.*.api", "", text, "", names_of_apis(), "empty = `openai.api`"},
        {"models.*.api_key", "", secret, "", "", "empty = the provider's above; or `api_key_file`"},
        {"models.*.share_key",
         "",
         text,
         "false",
         "true|false",
         "`true` sends the provider's key above to this model's `base_url`, whoever answers there"},
        {"models.*.requests_per_minute",
         "",
         integer,
         "0",
         "0..1000000",
         "calls, by all processes together; 0 = no limit of ours"},
        {"models.*.input_price",
         "",
         integer,
         "",
         price_range,
         R"(
             US cents for a million tokens, for the cost of executions in US dollars; empty = the
             vendor's list price, as far as `postrider models list` knows it
         )"_folded},
        {"models.*.cached_price",
         "",
         integer,
         "",
         price_range,
         R"(
             likewise, of tokens from the provider's prompt cache; empty = the model's usual
             share of `input_price`
         )"_folded},
        {"models.*.output_price", "", integer, "", price_range, "like `input_price`"},

        {"agents.*.model",
         "",
         words,
         "default",
         "",
         R"(
             the NAME of a `[models.NAME]`, or several: the next one answers where one fails for good or
             its breaker is open
         )"_folded,
         "assistant"},
        {"agents.*.history",
         "",
         integer,
         number(bounds::history.usual),
         range_of(bounds::history),
         "recent messages in the context, and up to half as many more for prompt caches",
         "assistant"},
        {"agents.*.history_tokens",
         "",
         integer,
         number(bounds::history_tokens.usual),
         range_of(bounds::history_tokens),
         R"(
             of an agent that is sent its whole conversation, as `todo` is: so many tokens of it at
             most (four bytes are counted as a token); then a new conversation is offered, once
         )"_folded,
         "assistant"},
        {"agents.*.max_tool_calls",
         "",
         integer,
         number(bounds::assistant_tool_calls.usual),
         range_of(bounds::assistant_tool_calls),
         "tool calls in one turn of the assistant; the todo agent has 50",
         "assistant"},
        {"agents.*.max_repeats",
         "",
         integer,
         number(bounds::repeats.usual),
         range_of(bounds::repeats),
         "calls of a tool that are the same and return the same, until the turn ends with what it "
         "has",
         "assistant"},
        {"agents.*.persona",
         "",
         text,
         "",
         "",
         "role and personality in the assistant's system prompt; empty = the built-in one",
         "assistant"},
        {"agents.*.when_model_fails",
         "",
         text,
         "",
         names_of(agent::model_failure_choices()),
         R"(
             what happens once the last model has failed for good, as of the agent node; empty = as the flow
             says: `tell` for the assistant, `rules` for the todo agent
         )"_folded,
         "assistant"},
    };
}

} // namespace postrider::server
