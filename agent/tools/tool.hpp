#pragma once
// A tool as a value: what the model, the flows and the engine need to know of it. A new one is one
// file with its value and one line in tool_table.cpp. Its node type tool.NAME, the check of its
// arguments, its place in the ledger of effects, the bound of its result, and the operator's
// settings [tools.NAME] with their documentation follow from these.
//
// A tool's failures are texts for the model, so that it can mend its call or tell the person.
// Whether a failure is worth another try says its code (base::retryable).
#include "agent/describe/folded_text.hpp"
#include "agent/talk/content.hpp"
#include "agent/tools/risk.hpp"
#include "agent/tools/tool_context.hpp"
#include "agent/tools/tool_output.hpp"
#include "base/async.hpp"
#include "base/backoff.hpp"
#include "base/setting.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

// Always the same, or chosen by the settings of the tool's node and the checked arguments of a call.
template<class T>
class by_arguments {
public:
    using function =
        T (*)(boost::json::object const& settings, boost::json::object const& arguments);

    constexpr by_arguments(T always) : always_(always) {}
    constexpr by_arguments(function choose) : choose_(choose) {}

    T operator()(boost::json::object const& settings, boost::json::object const& arguments) const {
        return choose_ ? choose_(settings, arguments) : always_;
    }
    // Nothing where it is chosen.
    std::optional<T> always() const { return choose_ ? std::nullopt : std::optional<T>(always_); }

private:
    T always_{};
    function choose_ = nullptr;
};

inline constexpr base::retry_policy usual_tool_tries{
    .limit = 2,
    .delay = std::chrono::seconds{1},
    .backoff = base::backoff_shape::exponential,
    .timeout = std::chrono::seconds{30},
    .total = std::chrono::seconds{60}};

inline constexpr std::size_t usual_result_limit = 32u << 10;

// What a tool says in a chat: where, its node's settings tell by bot, chat and thread, as those of
// telegram.send do; no model chooses a chat.
struct tool_message {
    message_content content = {};
    telegram_message_id answers{}; // 0 = none
};

struct tool {
    std::string_view name;  // "calculator": of the node type tool.calculator, and the
                            // model's name for it unless the node has another
    std::string_view title; // of the node type
    // Longer ones than a line are raw strings: R"(…)"_folded.
    std::string_view documentation; // for people: a few sentences in Markdown
    std::string_view description;   // for the model: when to use it and what it returns
    // JSON Schema of the arguments, type object. Its defaults are filled in.
    std::string_view arguments = R"({"type": "object", "properties": {}})";
    // Properties of the node's own settings: JSON Schema with the marks of flow/parameters.hpp.
    std::string_view settings = "{}";
    // What the operator says of the tool, who alone knows it: addresses, keys, limits. A row's key is
    // what stands behind [tools.NAME], so "url" is tools.NAME.url; it is no pattern, and `risk` is
    // every tool's already. run() reads the values by context.configuration().values.
    std::span<base::setting const> configuration = {};
    // Checks values beyond the types and bounds of the rows, for example a time zone's name. Each error
    // reads "KEY: what is wrong". Null: there is no further check.
    std::vector<std::string> (*problems)(tool_configuration const& configuration) = nullptr;

    by_arguments<agent::risk> risk = agent::risk::low;
    // pure: it reads, or writes only rows by tool_context::add(). It is then a step, done again
    // whenever its result was not committed. A tool of any other class is an effect: its intent is
    // committed before run() is called.
    by_arguments<queue::effect_class> effect_class = queue::effect_class::pure;
    // What it returns follows from its arguments and the clock: it waits for nothing, and adds nothing.
    // The reply that calls it is then committed together with its result.
    by_arguments<bool> is_instant = false;
    // Its results are text that others wrote: models are sent it marked as that.
    bool returns_untrusted = false;
    // Whether it works as the operator has set it up; no model is offered one that does not. Null: always.
    bool (*is_set_up)(tool_configuration const& configuration) = nullptr;
    base::retry_policy tries = usual_tool_tries;   // the node's own settings go first
    std::size_t result_limit = usual_result_limit; // bytes of text that the model gets

    // The arguments fit the schema. The detail of an error is shown to the model. errc::ambiguous:
    // it may have been done; the effect class decides what follows.
    base::awaitable<base::result<tool_output>> (*run
    )(tool_context& context, boost::json::object arguments) = nullptr;
    // In place of run(), of a tool that sends: what. The message is an effect like any other that a flow
    // sends, and stands in the history of its chat; several of one turn go out in their order. The model
    // reads its number. Pure.
    base::result<tool_message> (*message
    )(boost::json::object const& settings, boost::json::object const& arguments) = nullptr;
};

// The table.
std::span<tool const* const> tools() noexcept;
// Null: there is none of this name.
tool const* find_tool(std::string_view name) noexcept;
// As long as the operator says nothing: the fallbacks of the tool's rows.
tool_configuration usual_configuration(tool const& tool);

} // namespace postrider::agent
