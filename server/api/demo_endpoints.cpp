// The chat of demo mode: a person in the browser uses the simulated Telegram, and makes trouble.
#include "agent/talk/image.hpp"
#include "agent/talk/press.hpp"
#include "base/utf8.hpp"
#include "net/base64.hpp"
#include "server/api/demo_chat.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/idempotency.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "storage/stores/audit.hpp"
#include "storage/transact.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

constexpr std::size_t longest_message = 4096; // in units of UTF-16, as Telegram counts
// So that a message that is too long hears of its characters.
constexpr std::size_t most_message_bytes = 64u << 10;
constexpr std::size_t most_picture_bytes = 1u << 20;
constexpr std::size_t most_picture_text = most_picture_bytes * 4 / 3 + 4; // as base64
constexpr std::size_t largest_demo_body = most_picture_text + (400u << 10);

using demo_answer = std::function<net::http_response(demo_chat&, net::http_request const&)>;

base::awaitable<net::http_response> answer_with(net::http_response answer) {
    co_return answer;
}

net::http_response demo_accepted() {
    return json_answer(202, {});
}

net::http_response show_demo_chat(demo_chat& chat, net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return json_answer(200, chat.show());
}

net::http_response show_demo_picture(demo_chat& chat, net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    auto const message = id_from(request.param("message"));
    auto const* bytes = message ? chat.picture(telegram_message_id{*message}) : nullptr;
    if (!bytes && message && chat.had_picture(telegram_message_id{*message}))
        return net::http_response::problem(
            404, "gone", "the demo keeps the newest pictures only: this one is gone"
        );
    if (!bytes)
        return net::http_response::problem(404, "not_found", "no picture came with that message");
    auto response = net::http_response::empty(200);
    response.headers.add("Content-Type", std::string(agent::image_type(*bytes)));
    response.body = *bytes;
    return response;
}

// Nothing: the key is new.
base::awaitable<std::optional<net::http_response>> claim_message(
    call const& incoming, storage::request_key key
) {
    auto claim = [key = std::move(key)](auto& tx) { return storage::claim_key(tx, key); };
    auto const earlier = co_await storage::transact(
        incoming.db, incoming.name, std::move(claim), database_waits.change
    );
    if (!earlier) co_return problem_of(earlier.error(), database_use::change);
    if (!*earlier) co_return std::nullopt;
    co_return (*earlier)->same_request ? demo_accepted() : key_reused();
}

// Says it once. The key is claimed before: what dies in between is lost, as on a person's phone.
base::awaitable<net::http_response> say_in_demo(demo_chat& chat, call incoming) {
    auto const& request = incoming.request;
    if (auto wrong_key = refuse_key(request)) co_return std::move(*wrong_key);
    parameters query(request);
    members body(request);
    auto const text = body.text("text", most_message_bytes).value_or("");
    auto const length = base::utf16_length(text);
    if (length > longest_message)
        body.mistake(fmt::format(
            "text has {} characters: Telegram takes {} at most in one message",
            length,
            longest_message
        ));
    auto const picture = body.text("picture", most_picture_text).value_or("");
    auto bytes = net::from_base64(picture);
    bool const is_picture = bytes && !agent::image_type(*bytes).empty();
    if (!picture.empty() && !is_picture)
        body.mistake("picture is no JPEG, PNG, GIF or WebP image in base64");
    bool const is_blank = text.find_first_not_of(" \t\r\n") == text.npos;
    if (picture.empty() && is_blank) body.mistake("text is missing, or a picture");
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);
    if (auto key = key_of(request, "POST " + request.path, request.body)) {
        auto known = co_await claim_message(incoming, std::move(*key));
        if (known) co_return std::move(*known);
    }
    chat.say(text, picture.empty() ? std::string() : std::move(*bytes));
    co_return demo_accepted();
}

net::http_response press_in_demo(demo_chat& chat, net::http_request const& request) {
    parameters query(request);
    members body(request);
    auto const message = body.required_text("message", 100);
    auto const data = body.required_text("data", agent::most_button_data);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    auto const number = id_from(message);
    if (number && chat.press(telegram_message_id{*number}, data)) return demo_accepted();
    return net::http_response::problem(409, "not_open", "the message has no such button");
}

net::http_response hang_next_model_call(demo_chat& chat, net::http_request const& request) {
    parameters query(request);
    members body(request);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    chat.hang_next_call();
    return demo_accepted();
}

planned note_kill(net::http_request const& request) {
    parameters query(request);
    members body(request);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return work([](storage::transaction& tx) {
        storage::audit_operation(tx, "demo_kill", std::nullopt, "process", {});
        return demo_accepted();
    });
}

// Once the audit has it.
base::awaitable<net::http_response> kill_when_noted(
    demo_chat& chat, call_handler note, call incoming
) {
    auto answer = co_await note(std::move(incoming));
    if (answer.status == 202) chat.kill_process();
    co_return answer;
}

} // namespace

std::vector<endpoint> demo_endpoints(resources const& resources) {
    if (!resources.demo) return {};
    auto& chat = *resources.demo;
    auto const at = [&chat](std::string method, std::string pattern, demo_answer answer) {
        auto handle = [&chat, answer = std::move(answer)](call incoming) {
            return answer_with(answer(chat, incoming.request));
        };
        return endpoint{std::move(method), std::move(pattern), std::move(handle)};
    };
    endpoint message{"POST", "/api/v1/demo/messages", {}};
    message.handle = [&chat](call incoming) { return say_in_demo(chat, std::move(incoming)); };
    message.body_limit = largest_demo_body;
    endpoint kills{"POST", "/api/v1/demo/kill", {}};
    kills.handle = [&chat, note = in_a_transaction(note_kill)](call incoming) {
        return kill_when_noted(chat, note, std::move(incoming));
    };
    std::vector<endpoint> endpoints{
        at("GET", "/api/v1/demo/chat", show_demo_chat),
        at("GET", "/api/v1/demo/pictures/{message}", show_demo_picture),
        std::move(message),
        at("POST", "/api/v1/demo/presses", press_in_demo),
        at("POST", "/api/v1/demo/model-timeout", hang_next_model_call),
        std::move(kills)};
    return endpoints;
}

} // namespace postrider::api
