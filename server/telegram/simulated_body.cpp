#include "server/telegram/simulated_body.hpp"

#include "base/names.hpp"

#include <array>
#include <string>
#include <string_view>

namespace postrider::telegram {

namespace {

using namespace std::string_view_literals;

// What is no text where it comes as JSON.
constexpr std::array json_members{
    "chat_id"sv, "message_thread_id"sv, "reply_parameters"sv, "reply_markup"sv};

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
    auto const at = text.find(before);
    if (at == text.npos) return {};
    text.remove_prefix(at + before.size());
    return text.substr(0, text.find(after));
}

void add_part(base::json::object& parameters, std::string_view part) {
    auto const head_end = part.find("\r\n\r\n");
    if (head_end == part.npos) return;
    auto const head = part.substr(0, head_end);
    auto const content = part.substr(head_end + 4);
    auto const name = between(head, " name=\"", "\"");
    if (head.find("filename=\"") != head.npos) {
        parameters[name] = "upload:" + std::string(between(head, "filename=\"", "\""));
        return;
    }
    auto value = base::parse_json(content);
    parameters[name] = value && base::is_among(json_members, name)
                           ? std::move(*value)
                           : base::json::value(base::json::string(content));
}

} // namespace

base::json::object parameters_of(net::http_request const& request) {
    base::json::object parameters;
    auto const type = request.headers.find("Content-Type");
    if (!type.starts_with("multipart/form-data")) {
        auto body = base::parse_json(request.body);
        if (body && body->is_object()) parameters = std::move(body->get_object());
        return parameters;
    }
    auto const line = "--" + std::string(type.substr(type.find('=') + 1));
    std::string_view rest = request.body;
    for (auto at = rest.find(line); at != rest.npos; at = rest.find(line)) {
        rest.remove_prefix(at + line.size());
        add_part(parameters, rest.substr(0, rest.find("\r\n" + line)));
    }
    return parameters;
}

} // namespace postrider::telegram
