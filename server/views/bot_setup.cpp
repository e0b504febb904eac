#include "server/views/bot_setup.hpp"

#include "server/views/json_values.hpp"

namespace postrider::server {

namespace json = boost::json;

json::value webhook_json(std::optional<webhook_state> const& webhook) {
    if (!webhook) return nullptr;
    return json::object{
        {"url", text_or_null(webhook->url)},
        {"pending", webhook->pending},
        {"last_error", text_or_null(webhook->last_error)},
        {"last_error_at", text_or_null(webhook->last_error_at)},
        {"as_of", webhook->as_of}};
}

json::object to_json(std::string const& bot, bot_check const& check) {
    return {
        {"bot", bot},
        {"wanted_url", text_or_null(check.wanted_url)},
        {"webhook", webhook_json(check.webhook)},
        {"findings", to_json(check.findings)}};
}

} // namespace postrider::server
