#include "agent/flow/chat/message_target.hpp"
#include "agent/flow/chat/node_question.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/actions.hpp"
#include "agent/flow/parts/services.hpp"
#include "base/clock.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::string_view timeout_port = "timeout";

struct asked_item {
    std::string port;
    json::value answer;
};

std::string item_name(std::size_t item) {
    return item == 0 ? "ask" : "ask-" + std::to_string(item + 1);
}

std::vector<std::string> button_texts(json::array const& choices) {
    std::vector<std::string> texts;
    for (auto const& choice : choices) {
        base::json_reader const fields{choice};
        texts.emplace_back(fields["text"].string_or(fields["name"].string()));
    }
    return texts;
}

agent::question question_from(
    node_run& run, base::json_reader const& fields, address const& target
) {
    agent::question draft;
    draft.to = target;
    draft.text = fields["text"].string();
    if (fields["format"].string_or("text") == "html") draft.markup = text_markup::html;
    draft.choices = numbered_choices(button_texts(fields["choices"].raw()->get_array()));
    auto const& heard = run.started_by().heard;
    if (is_own_chat(run, target) && fields["answers_from"].string_or("asker") == "asker")
        draft.only = heard->user;
    for (auto const& user : fields["approvers"].items_or_none())
        draft.people.push_back(user_id{user.int64_or(0)});
    auto const patience = base::duration_from_text(fields["timeout"].string()).value();
    draft.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(patience);
    draft.in_words = true;
    draft.tries = run.retry(sending);
    draft.origin = storage::message_origin::node;
    return draft;
}

json::object answer_of(press const& press, std::string const& choice) {
    json::object answer{{"choice", choice}, {"user", base::raw(press.user)}};
    if (!press.name.empty()) answer["name"] = press.name;
    return answer;
}

base::awaitable<base::result<asked_item>> ask_about_item(
    node_run& run, json::object parameters, std::size_t number
) {
    json::value const values = std::move(parameters);
    base::json_reader fields{values};
    auto const target = co_await target_of(run, fields);
    if (!target) co_return target.error();
    if (run.started_by().silent && is_own_chat(run, *target)) {
        run.steps().skip_unasked();
        co_return asked_item{std::string(timeout_port), nullptr};
    }
    auto draft = question_from(run, fields, *target);
    draft.name = item_name(number);
    auto const places = places_from(run, places_of_question * static_cast<int>(number));
    node_question question(run, run.steps(), std::move(draft), places);
    auto const sent = co_await question.ask();
    if (!sent) co_return sent.error();
    auto const press = co_await question.wait();
    asked_item result{std::string(timeout_port), nullptr};
    if (!press) {
        question.close({});
        if (press.error() != base::errc::timeout && press.error() != base::errc::stale)
            co_return press.error();
        co_await question.show("⌛");
        co_return result;
    }
    question.close(*press);
    base::json_reader const choice{
        fields["choices"].raw()->get_array().at(std::stoul(press->choice))};
    result.port = choice["name"].string();
    result.answer = answer_of(*press, result.port);
    co_await question.show("→ " + choice["text"].string_or(result.port));
    co_return result;
}

base::awaitable<base::result<outputs>> ask_people(node_run& run) {
    outputs by_port;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto answered_item = co_await ask_about_item(run, std::move(*parameters), i);
        if (!answered_item) co_return answered_item.error();
        auto const* members = run.input()[i].json.if_object();
        auto output_item = members ? *members : json::object{};
        output_item["answer"] = std::move(answered_item->answer);
        by_port[answered_item->port].push_back({std::move(output_item)});
    }
    co_return by_port;
}

} // namespace

behaviour telegram_ask_behaviour() {
    return durable{
        .execute = ask_people,
        .from_message = {"bot", "chat"},
        // In its own chat the next message ends the question.
        .holds_chat = [](auto const& parameters, auto) -> std::string_view {
            return parameters.contains("chat") ? "chat" : "";
        },
    };
}

} // namespace postrider::agent::flow
