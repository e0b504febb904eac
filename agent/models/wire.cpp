#include "agent/models/wire.hpp"

#include "agent/language/unicode.hpp"
#include "agent/models/errors.hpp"
#include "base/json/json.hpp"
#include "base/json/jsonb_form.hpp"
#include "base/json/nul.hpp"
#include "base/json/text.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace postrider::agent::wire {

namespace json = boost::json;

namespace {

bool is_taken_in_names(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

} // namespace

base::error unusable_answer(std::string detail) {
    return {base::errc::unavailable, std::move(detail)};
}

base::result<json::object> parse_answer(std::string_view body) {
    auto parsed = base::parse_json(body, {.depth = 64, .bytes = 16u << 20});
    if (!parsed) return unusable_answer("the answer is not JSON that can be read");
    if (auto object = parsed->if_object()) return std::move(*object);
    return unusable_answer("the answer is no JSON object");
}

void drop_nul(chat_reply& reply) {
    base::drop_nul(reply.text);
    base::drop_nul(reply.model);
    base::drop_nul(reply.provider_state);
    for (auto& call : reply.calls) {
        base::drop_nul(call.id);
        base::drop_nul(call.name);
        base::drop_nul(call.raw);
    }
}

std::string make_call_id() {
    return "call_" + base::nanoid(base::system_random());
}

tool_call call_from_object(std::string id, std::string name, json::object arguments) {
    tool_call call{std::move(id), std::move(name), std::move(arguments), {}};
    if (base::holds_nul(call.arguments)) {
        call.raw = base::json_text(call.arguments);
        call.arguments = nullptr;
    } else {
        base::to_jsonb_form(call.arguments);
    }
    return call;
}

tool_call call_from_text(std::string id, std::string name, std::string arguments) {
    if (arguments.find_first_not_of(" \t\r\n") == arguments.npos)
        return call_from_object(std::move(id), std::move(name), {});
    auto parsed = base::parse_json(arguments);
    if (parsed && parsed->is_string()) {
        auto const& inside = parsed->get_string();
        parsed = base::parse_json(std::string_view{inside.data(), inside.size()});
    }
    tool_call call{std::move(id), std::move(name), nullptr, {}};
    if (parsed && parsed->is_object())
        call = call_from_object(
            std::move(call.id), std::move(call.name), std::move(parsed->get_object())
        );
    if (call.arguments.is_null()) call.raw = std::move(arguments);
    return call;
}

std::string arguments_text(tool_call const& call, bool is_vendor) {
    if (call.arguments.is_object()) return base::json_text(call.arguments);
    return is_vendor && !call.raw.empty() ? call.raw : "{}";
}

std::string fit_id(std::string id) {
    std::ranges::replace_if(id, std::not_fn(is_taken_in_names), '_');
    return id;
}

std::string fit_name(std::string name) {
    constexpr std::size_t longest_name = 64; // OpenAI's; Anthropic takes 128
    if (name.empty()) return "unknown";
    if (name.size() > longest_name) name.resize(longest_name);
    return fit_id(std::move(name));
}

bool is_blank(std::string_view text) {
    return expressions::without_space(text).empty();
}

std::int64_t token_count(base::json_reader const& count) {
    return std::clamp<std::int64_t>(count.int64_or(0), 0, 1'000'000'000'000);
}

void mend_ids(std::vector<tool_call>& calls) {
    std::set<std::string> seen;
    for (auto& call : calls) {
        while (call.id.empty() || seen.contains(call.id)) call.id = make_call_id();
        seen.insert(call.id);
    }
}

bool has_other_members(
    json::object const& object, std::initializer_list<std::string_view> expected
) {
    return std::ranges::any_of(object, [&](auto const& member) {
        std::string_view const name(member.key().data(), member.key().size());
        return !member.value().is_null() && std::ranges::find(expected, name) == expected.end();
    });
}

json::value state(std::string_view model, json::array blocks) {
    return json::object{{"model", model}, {"blocks", std::move(blocks)}};
}

json::array const* blocks_for(chat_message const& message, std::string_view model) {
    auto state = message.provider_state.if_object();
    if (!state) return nullptr;
    auto from = state->if_contains("model");
    auto blocks = state->if_contains("blocks");
    if (!from || !from->is_string() || from->get_string() != json::string_view(model))
        return nullptr;
    return blocks ? blocks->if_array() : nullptr;
}

std::string system_text(chat_request const& request) {
    std::string text = request.system;
    for (auto const& message : request.messages) {
        if (message.role != role::system || message.content.empty()) continue;
        if (!text.empty()) text += "\n\n";
        text += message.content;
    }
    return text;
}

namespace {

base::awaitable<base::result<std::string>> ask(
    net::http_client& client,
    net::http_call call,
    std::chrono::milliseconds timeout,
    std::function<base::error(net::http_answer const&)> explain
) {
    call.headers.add("Accept", call.take_body ? "text/event-stream" : "application/json");
    // Without streaming the first byte comes when the whole answer is made.
    call.first_byte_timeout = timeout;
    call.idle_timeout = timeout;
    call.total_timeout = timeout;
    auto answer = co_await client.send(std::move(call));
    if (!answer) co_return transport_error(std::move(answer).error());
    if (answer->status != 200) co_return explain(*answer);
    co_return std::move(answer->body);
}

} // namespace

std::string body_text(
    chat_request const& request, json::object body, tool_list::declaration declare
) {
    if (request.hear) body["stream"] = true;
    std::string text;
    if (!request.tools.empty()) text = R"({"tools":)" + request.tools.declared_by(declare);
    auto const joint = text.size();
    base::append_json(text, body, base::nul::escaped);
    if (joint > 0) text[joint] = ','; // the object's own bracket
    return text;
}

base::awaitable<base::result<std::string>> post(
    net::http_client& client,
    net::base_url const& base,
    std::string_view path,
    net::header_list headers,
    std::string body,
    std::chrono::milliseconds timeout,
    std::function<base::error(net::http_answer const&)> explain,
    std::shared_ptr<stream> pieces,
    std::function<void()> accepted
) {
    net::http_call call;
    call.origin = base.origin;
    call.target = base.path + std::string(path);
    call.headers = std::move(headers);
    call.headers.add("Content-Type", "application/json");
    if (pieces) {
        call.take_body = [pieces, accepted](std::string_view bytes) {
            bool const had_begun = pieces->has_begun();
            pieces->take(bytes);
            if (accepted && !had_begun && pieces->has_begun()) accepted();
        };
    } else if (accepted) {
        call.take_head = [accepted](net::http_answer const& answer) {
            if (answer.status == 200 && net::has_media_type(answer.headers, "application/json"))
                accepted();
        };
    }
    call.body = std::move(body);
    auto answer = co_await ask(client, std::move(call), timeout, std::move(explain));
    if (!answer || !pieces) co_return answer;
    co_return pieces->document();
}

base::awaitable<base::result<std::string>> get(
    net::http_client& client,
    net::base_url const& base,
    std::string path,
    net::header_list headers,
    std::chrono::milliseconds timeout,
    std::function<base::error(net::http_answer const&)> explain
) {
    net::http_call call;
    call.method = "GET";
    call.origin = base.origin;
    call.target = base.path + path;
    call.headers = std::move(headers);
    call.idempotent = true;
    co_return co_await ask(client, std::move(call), timeout, std::move(explain));
}

} // namespace postrider::agent::wire
