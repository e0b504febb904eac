#include "agent/group/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utf8proc.h>

namespace postrider::agent::group {

namespace {

std::string escaped(std::string_view text, bool in_attribute) {
    std::string result;
    result.reserve(text.size());
    for (char const letter : text) {
        if (letter == '<')
            result += "&lt;";
        else if (letter == '>')
            result += "&gt;";
        else if (letter == '&')
            result += "&amp;";
        else if (letter == '"' && in_attribute)
            result += "&quot;";
        else if ((letter == '\n' || letter == '\r') && in_attribute)
            result += ' ';
        else
            result += letter;
    }
    return result;
}

std::string attribute(std::string_view name, std::string_view value) {
    return fmt::format(" {}=\"{}\"", name, escaped(value, true));
}

std::string id_attribute(telegram_message_id id) {
    return attribute("id", base::to_string(id));
}

// Whole graphemes: an accent stays with its letter.
std::string quote_of(std::string_view text) {
    auto const* bytes = reinterpret_cast<utf8proc_uint8_t const*>(text.data());
    std::size_t at = 0;
    std::size_t graphemes = 0;
    utf8proc_int32_t previous = 0;
    utf8proc_int32_t state = 0;
    while (at < text.size()) {
        utf8proc_int32_t next = 0;
        auto const remaining = static_cast<utf8proc_ssize_t>(text.size() - at);
        auto const used =
            std::max<utf8proc_ssize_t>(utf8proc_iterate(bytes + at, remaining, &next), 1);
        if (at == 0 || utf8proc_grapheme_break_stateful(previous, next, &state)) ++graphemes;
        if (graphemes > longest_quote) return std::string(text.substr(0, at)) + "…";
        previous = next;
        at += static_cast<std::size_t>(used);
    }
    return std::string(text);
}

std::string reply_element(quoted_message const& reply) {
    return "<reply" + id_attribute(reply.id) + attribute("from", reply.name) + ">" +
           escaped(quote_of(reply.text), false) + "</reply>";
}

std::string clock_time(base::sys_time time, base::time_zone const& zone) {
    auto const local = zone.to_local(time);
    std::chrono::hh_mm_ss const since_midnight(
        local - std::chrono::floor<std::chrono::days>(local)
    );
    return fmt::format(
        "{:02}:{:02}", since_midnight.hours().count(), since_midnight.minutes().count()
    );
}

} // namespace

std::string line_of(context_message const& message, chat_id chat, base::time_zone const& zone) {
    if (message.kind == context_message::kind::edited)
        return "<edit" + id_attribute(message.id) + ">" + escaped(message.text, false) + "</edit>";
    auto line = "<msg" + id_attribute(message.id) + attribute("chat", base::to_string(chat)) +
                attribute("user", base::to_string(message.user)) + attribute("name", message.name) +
                attribute("time", clock_time(message.time, zone)) + ">";
    if (message.reply) line += reply_element(*message.reply);
    if (!message.media.empty()) line += "<media" + attribute("kind", message.media) + "/>";
    return line + escaped(message.text, false) + "</msg>";
}

std::vector<std::string> pieces_of(context const& conversation, base::time_zone const& zone) {
    auto summary = escaped(conversation.summary, false);
    std::ranges::replace_if(
        summary, [](char letter) { return letter == '\n' || letter == '\r'; }, ' '
    );
    std::vector<std::string> pieces{
        "=== Conversation Summary ===\n" + summary + "\n\n=== Recent Messages ==="};
    for (std::size_t index = 0; index < conversation.messages.size(); ++index) {
        auto line = line_of(conversation.messages[index], conversation.chat, zone);
        if (index > 0 && index % messages_of_a_piece == 0)
            pieces.push_back(std::move(line));
        else
            pieces.back().append("\n").append(line);
    }
    return pieces;
}

std::string text_of(context const& conversation, base::time_zone const& zone) {
    std::string text;
    for (auto const& piece : pieces_of(conversation, zone))
        text.append(text.empty() ? "" : "\n").append(piece);
    return text;
}

} // namespace postrider::agent::group
