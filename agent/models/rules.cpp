// The model without a model: fixed rules, for a start without any key. It speaks the same protocol
// as the others, so tools, records and limits are exercised alike, and it says what it is.
#include "agent/language/notices.hpp"
#include "agent/language/reading/understand.hpp"
#include "agent/models/provider.hpp"
#include "agent/models/rules_intent.hpp"
#include "agent/models/wire.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent {

namespace json = boost::json;

namespace {

using language::in_words;
using language::notices;

std::string introduction(notices const& words) {
    return words.built_in + ' ' + words.can_calculate;
}

// Of what is asked of the todo agent, whoever is asked. Days do not matter here.
bool is_about_tasks(std::string_view message) {
    using kind = language::intent::kind;
    auto const asked = language::understand(message, {}, base::find_time_zone("UTC").value());
    return std::ranges::any_of(asked.intents, [](language::intent const& intent) {
        return language::mutates(intent.action) || intent.action == kind::get ||
               intent.action == kind::list;
    });
}

std::string how_to_configure(notices const& words) {
    return in_words(words.how_to_configure, key_variables());
}

bool offers(chat_request const& request, std::string_view tool) {
    return request.choice != tool_choice::none &&
           std::ranges::any_of(request.tools, [&](auto const& offered) {
               return offered.name == tool;
           });
}

chat_reply say(std::string text) {
    chat_reply reply;
    reply.text = std::move(text);
    return reply;
}

chat_reply call(std::string tool, json::object arguments) {
    chat_reply reply;
    reply.stop = stop_reason::tool_calls;
    reply.calls.push_back({wire::make_call_id(), std::move(tool), std::move(arguments), {}});
    return reply;
}

tool_call const* find_call(chat_request const& request, std::string const& id) {
    for (auto const& message : request.messages)
        for (auto const& call : message.calls)
            if (call.id == id) return &call;
    return nullptr;
}

// What a tool result says in words.
std::string describe(
    chat_request const& request, chat_message const& result, notices const& words
) {
    auto call = find_call(request, result.call_id);
    if (result.is_error) return in_words(words.did_not_work, result.content);
    if (call && call->name == "calculator") {
        if (auto expression = call->arguments.get_object().if_contains("expression"))
            return std::string(expression->get_string()) + " = " + result.content;
    }
    if (call && call->name == "current_time") return in_words(words.time_is, result.content);
    return result.content;
}

chat_reply rules_answer(
    chat_request const& request, intent const& intent, std::string_view language
) {
    auto const& words = language::notices_in(language);
    auto const& replies = language::replies_in(language);
    switch (intent.topic) {
    case intent::kind::arithmetic:
        if (offers(request, "calculator"))
            return call("calculator", {{"expression", intent.argument}});
        break;
    case intent::kind::time:
        if (!offers(request, "current_time")) break;
        if (intent.argument.empty()) return call("current_time", {});
        return call("current_time", {{"timezone", intent.argument}});
    case intent::kind::greeting:
        return say(replies.hello + ' ' + introduction(words));
    case intent::kind::help:
        return say(fmt::format(
            "{}\n\n{}\n\n{}", introduction(words), words.where_tasks_are, how_to_configure(words)
        ));
    case intent::kind::thanks:
        return say(replies.welcome);
    case intent::kind::unknown:
        break;
    }
    auto const& message = request.messages.back().content;
    return say(fmt::format(
        "{}{}\n\n{}",
        is_about_tasks(message)
            ? fmt::format("{} {}\n\n", words.keeps_no_tasks, words.where_tasks_are)
            : words.cannot_answer + ' ',
        introduction(words),
        how_to_configure(words)
    ));
}

// Of the person's newest message.
std::string_view language_of(std::vector<chat_message> const& messages) {
    auto const said =
        std::ranges::find(messages.rbegin(), messages.rend(), role::user, &chat_message::role);
    return said == messages.rend() ? std::string_view{} : language::language_of(said->content);
}

class rules_model final : public model {
public:
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {.tools = true, .vision = false}; }
    base::awaitable<base::result<chat_reply>> chat(chat_request request) override;

private:
    std::string name_ = "rules/builtin";
};

base::awaitable<base::result<chat_reply>> rules_model::chat(chat_request request) {
    if (request.messages.empty())
        co_return base::error(base::errc::invalid, "a request without messages");
    // The results of this round stand at the end.
    auto first = request.messages.size();
    while (first > 0 && request.messages[first - 1].role == role::tool) --first;
    auto const language = language_of(request.messages);
    chat_reply reply;
    if (first < request.messages.size()) {
        std::string text;
        for (auto i = first; i < request.messages.size(); ++i)
            text += (text.empty() ? "" : "\n") +
                    describe(request, request.messages[i], language::notices_in(language));
        reply = say(std::move(text));
    } else {
        reply = rules_answer(request, understand(request.messages.back().content), language);
    }
    reply.model = "builtin";
    if (request.hear && !reply.text.empty()) request.hear(reply.text);
    co_return reply;
}

std::unique_ptr<model> make_rules() {
    return std::make_unique<rules_model>();
}

} // namespace

extern constinit provider const rules_provider{
    .name = "rules",
    .title = "Rules",
    .documentation = R"(
        Answers by fixed rules, without a network and at no cost. Use it to try and test a
        flow.)"_folded,
    .default_model = "builtin",
    .make_built_in = make_rules,
};

} // namespace postrider::agent
