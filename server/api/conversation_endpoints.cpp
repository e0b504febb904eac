#include "agent/speech/press_note.hpp"
#include "agent/talk/press.hpp"
#include "base/ascii.hpp"
#include "server/api/conversation_json.hpp"
#include "server/api/conversation_stream.hpp"
#include "server/api/conversation_turn.hpp"
#include "server/api/own_conversations.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "storage/stores/conversations.hpp"
#include "storage/stores/questions.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <charconv>

namespace postrider::api {

namespace {

namespace json = boost::json;

constexpr std::size_t largest_body = 2u << 20; // of a text that is all escapes

// "41-2", as next gives it.
std::optional<storage::message_place> place_from(std::string_view cursor) {
    storage::message_place at;
    auto const* end = cursor.data() + cursor.size();
    auto const job = std::from_chars(cursor.data(), end, at.job);
    if (job.ec != std::errc{} || job.ptr == end || *job.ptr != '-') return std::nullopt;
    auto const position = std::from_chars(job.ptr + 1, end, at.position);
    if (position.ec != std::errc{} || position.ptr != end) return std::nullopt;
    return at;
}

planned show_messages(net::http_request const& request, caller const& caller) {
    parameters query(request);
    storage::message_place after;
    if (auto const cursor = query.text("cursor")) {
        auto const at = place_from(*cursor);
        if (!at) query.mistake(std::string(wrong_cursor));
        after = at.value_or(after);
    }
    auto const word = query.text("order").value_or("asc");
    if (word != "asc" && word != "desc") query.mistake("order is not asc or desc");
    auto const order = word == "desc" ? storage::reading_order::newest_first
                                      : storage::reading_order::oldest_first;
    auto const limit = static_cast<std::size_t>(read_limit(query));
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([request, caller, after, limit, order](storage::transaction& tx) {
        auto const of = find_own(tx, request, caller);
        if (!of) return no_conversation();
        auto listed = storage::list_messages(tx, of->lane, after, limit + 1, order);
        bool const has_more = listed.size() > limit;
        if (has_more) listed.pop_back();
        json::array messages;
        for (auto const& message : listed) messages.push_back(to_json(message));
        json::object body{{"messages", std::move(messages)}};
        if (has_more)
            body["next"] = fmt::format("{}-{}", listed.back().at.job, listed.back().at.position);
        return json_answer(200, body);
    });
}

net::http_response answer_of(storage::press_outcome outcome) {
    if (outcome == storage::press_outcome::taken) return json_answer(200, {{"state", "taken"}});
    auto const code = outcome == storage::press_outcome::not_yours ? "not_yours" : "not_open";
    return net::http_response::problem(409, code, agent::note_of(outcome, {}, {}));
}

// Over Telegram a press can only be of a button that is there; here it is looked up.
planned press(net::http_request const& request, caller const& caller) {
    members body(request);
    auto const message = body.required_text("message", 100);
    auto const data = body.required_text("data", agent::most_button_data);
    if (auto const wrong = body.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([request, caller, message, data](storage::transaction& tx) {
        auto const of = find_own(tx, request, caller);
        if (!of) return no_conversation();
        auto const number = storage::find_pressed(tx, of->lane, message, data);
        if (!number) return answer_of(storage::press_outcome::not_open);
        auto const at = agent::conversation_address(of->id);
        auto read = agent::read_button_data(data);
        agent::press const pressed{
            caller.user, {}, *number, std::move(read.value), base::to_string(*number)};
        storage::press_row row;
        row.question = std::move(read.question);
        row.place = agent::place_of(at);
        row.user = caller.user;
        row.closes = read.closes;
        row.payload = agent::to_json(pressed, at);
        return answer_of(storage::press_button(tx, row));
    });
}

// Whoever watches the conversation sees at once what became of it.
base::awaitable<net::http_response> change_and_ring(
    shared_services services, call_handler change, call incoming
) {
    auto const id = base::to_lower(std::string(incoming.request.param("id")));
    auto answer = co_await change(std::move(incoming));
    if (answer.status == 200) services->listeners.notify(id);
    co_return answer;
}

} // namespace

std::vector<endpoint> conversation_endpoints(resources const& resources) {
    if (!resources.conversations) return {};
    auto const services = resources.watchers_of_conversations
                              ? resources.watchers_of_conversations
                              : std::make_shared<shared_conversations>(*resources.conversations);
    endpoint begin{"POST", "/api/v1/conversations", {}};
    begin.handle = in_a_transaction([services](auto const& request, caller const& caller) {
        return begin_conversation(services, request, caller);
    });
    endpoint partners{"GET", "/api/v1/chat-partners", {}};
    partners.handle = in_a_transaction([services](net::http_request const& request) {
        return list_chat_partners(services, request);
    });
    endpoint list{"GET", "/api/v1/conversations", {}};
    list.handle = in_a_transaction(list_conversations);
    endpoint remove{"DELETE", "/api/v1/conversations/{id}", {}};
    remove.handle = [services, remove = in_a_transaction(delete_conversation)](call incoming) {
        return change_and_ring(services, remove, std::move(incoming));
    };
    endpoint say{"POST", "/api/v1/conversations/{id}/messages", {}};
    say.handle = [services](call incoming) {
        return post_message(services, std::move(incoming.request), incoming.by, incoming.db);
    };
    say.body_limit = largest_body;
    say.use = database_use::watch; // the message is stored by the intake
    endpoint look{"GET", "/api/v1/conversations/{id}/messages", {}};
    look.handle = in_a_transaction(show_messages);
    endpoint answer{"POST", "/api/v1/conversations/{id}/presses", {}};
    answer.handle = [services, press = in_a_transaction(press)](call incoming) {
        return change_and_ring(services, press, std::move(incoming));
    };
    endpoint watch{"GET", "/api/v1/conversations/{id}/events", {}};
    watch.handle = [services](call incoming) {
        return watch_conversation(services, std::move(incoming.request), incoming.by, incoming.db);
    };
    watch.use = database_use::watch;
    std::vector<endpoint> endpoints{
        std::move(partners),
        std::move(begin),
        std::move(list),
        std::move(remove),
        std::move(say),
        std::move(look),
        std::move(answer),
        std::move(watch)};
    for (auto& endpoint : endpoints) endpoint.open_to = audience::people;
    return endpoints;
}

} // namespace postrider::api
