#include "bench/outside_world.hpp"

#include "base/json/json.hpp"

#include <fmt/format.h>

namespace postrider::bench {

namespace {

using net::http_request;
using net::http_response;

constexpr std::string_view anthropic_answer =
    R"({"id":"msg_bench","type":"message","role":"assistant","model":"claude-haiku-4-5",)"
    R"("content":[{"type":"text","text":"The ferry leaves at a quarter past nine from pier four; )"
    R"(be there ten minutes early, it fills up quickly."}],)"
    R"("stop_reason":"end_turn","stop_sequence":null,)"
    R"("usage":{"input_tokens":412,"output_tokens":31}})";

constexpr std::string_view openai_answer =
    R"({"id":"chatcmpl-bench","object":"chat.completion","created":1795000000,)"
    R"("model":"gpt-4o-mini","choices":[{"index":0,"finish_reason":"stop","message":)"
    R"({"role":"assistant","content":"The ferry leaves at a quarter past nine from pier four; )"
    R"(be there ten minutes early, it fills up quickly."}}],)"
    R"("usage":{"prompt_tokens":412,"completion_tokens":31,"total_tokens":443}})";

constexpr std::string_view anthropic_call =
    R"({"id":"msg_bench","type":"message","role":"assistant","model":"claude-haiku-4-5",)"
    R"("content":[{"type":"tool_use","id":"toolu_1","name":"calculator","input":{"expression":"6*7"}}],)"
    R"("stop_reason":"tool_use","stop_sequence":null,)"
    R"("usage":{"input_tokens":412,"output_tokens":12}})";

constexpr std::string_view openai_call =
    R"({"id":"chatcmpl-bench","object":"chat.completion","created":1795000000,)"
    R"("model":"gpt-4o-mini","choices":[{"index":0,"finish_reason":"tool_calls","message":)"
    R"({"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",)"
    R"("function":{"name":"calculator","arguments":"{\"expression\":\"6*7\"}"}}]}}],)"
    R"("usage":{"prompt_tokens":412,"completion_tokens":12,"total_tokens":424}})";

constexpr std::string_view anthropic_message =
    R"({"id":"msg_bench","type":"message","role":"assistant","model":"claude-haiku-4-5",)"
    R"("content":[{"type":"tool_use","id":"toolu_1","name":"send_message","input":{"text":"hm good point"}}],)"
    R"("stop_reason":"tool_use","stop_sequence":null,)"
    R"("usage":{"input_tokens":412,"output_tokens":12}})";

// By method, what `result` is; every other one is answered true.
std::string_view result_of(std::string_view method) {
    if (method == "getMe")
        return R"({"id":4242,"is_bot":true,"first_name":"Bench","username":"bench_bot"})";
    if (method == "getUpdates") return "[]";
    if (method == "getWebhookInfo")
        return R"({"url":"","has_custom_certificate":false,"pending_update_count":0})";
    return "true";
}

net::route at(
    std::string method,
    std::string pattern,
    std::function<base::awaitable<http_response>(http_request)> handle
) {
    net::route result;
    result.method = std::move(method);
    result.pattern = std::move(pattern);
    result.body_limit = 1u << 20;
    result.handle = std::move(handle);
    return result;
}

} // namespace

outside_world::outside_world(boost::asio::any_io_executor executor, manner like)
    : on_sent_(std::move(like.on_sent)),
      calls_tool_(like.calls_tool || like.speaks_by_tool),
      speaks_by_tool_(like.speaks_by_tool),
      model_takes_(like.model_takes) {
    net::http_server_options server;
    server.listen = like.listen;
    server_ = net::make_http_server(executor, std::move(server), routes());
}

net::router outside_world::routes() {
    std::vector<net::route> all;
    all.push_back(at("POST", "/v1/messages", [this](http_request request) {
        bool const calls = calls_now(request.body, R"("type":"tool_result")");
        auto const call = speaks_by_tool_ ? anthropic_message : anthropic_call;
        return model(calls ? call : anthropic_answer);
    }));
    all.push_back(at("POST", "/v1/chat/completions", [this](http_request request) {
        bool const calls = calls_now(request.body, R"("role":"tool")");
        return model(calls ? openai_call : openai_answer);
    }));
    all.push_back(at("GET", "/counts", [this](http_request) { return tell(); }));
    all.push_back(at("POST", "/reset", [this](http_request) { return reset(); }));
    all.push_back(at("POST", "/{bot}/{method}", [this](http_request request) {
        return bot_api(std::move(request));
    }));
    return net::router(std::move(all));
}

base::awaitable<void> outside_world::stop() {
    server_->stop_accepting();
    co_await server_->drain(std::chrono::seconds{1});
}

// Behind a tool's result, which is part of the last message, comes the answer.
bool outside_world::calls_now(std::string_view question, std::string_view result) const {
    if (!calls_tool_) return false;
    auto const asked = question.rfind(R"("role":"user")");
    auto const returned = question.rfind(result);
    return returned == question.npos || asked == question.npos || returned < asked;
}

base::awaitable<http_response> outside_world::model(std::string_view answer) {
    ++counts_.model;
    if (model_takes_.count() > 0) co_await base::sleep_for(model_takes_);
    co_return http_response::json(200, std::string(answer));
}

base::awaitable<http_response> outside_world::bot_api(http_request request) {
    auto const method = request.param("method");
    if (method == "sendMessage") co_return sent(request);
    ++counts_.others;
    co_return http_response::json(
        200, fmt::format(R"({{"ok":true,"result":{}}})", result_of(method))
    );
}

http_response outside_world::sent(http_request const& request) {
    auto const body = base::parse_json(request.body);
    if (!body) return http_response::empty(400);
    auto const to = base::json_reader{*body}["chat_id"].int64_or(0);
    ++counts_.messages;
    if (on_sent_) on_sent_(chat_id{to});
    return http_response::json(
        200,
        fmt::format(
            R"({{"ok":true,"result":{{"message_id":{},"date":1795000000,)"
            R"("chat":{{"id":{},"type":"private"}},"text":"sent"}}}})",
            1'000'000 + counts_.messages,
            to
        )
    );
}

base::awaitable<http_response> outside_world::tell() {
    co_return http_response::json(
        200,
        fmt::format(
            R"({{"model":{},"messages":{},"others":{}}})",
            counts_.model,
            counts_.messages,
            counts_.others
        )
    );
}

base::awaitable<http_response> outside_world::reset() {
    counts_ = {};
    co_return http_response::empty(204);
}

} // namespace postrider::bench
