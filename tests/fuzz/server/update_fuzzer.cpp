// Any bytes as a webhook's body: what the parser takes for JSON the scanner does too, an update
// that is found keeps its id whether it can be used or not, and decide(), watched() and split_message()
// keep their words.
#include "base/json/json.hpp"
#include "base/utf8.hpp"
#include "server/telegram/group_watch.hpp"
#include "server/telegram/json_scanner.hpp"
#include "server/telegram/split.hpp"

#include <cstdlib>
#include <iostream>

namespace {

using namespace postrider;
using namespace postrider::telegram;

void require(bool holds, char const* property) {
    if (holds) return;
    std::cerr << "broken: " << property << '\n';
    std::abort();
}

void check_split(std::string_view text) {
    constexpr std::size_t limit = 64;
    for (auto const& part : split_message(text, limit)) {
        require(base::utf16_length(part) <= limit, "a part fits");
        require(part.find_first_not_of(" \t\r\n") != part.npos, "a part is not blank");
    }
}

void check_decision(update const& u) {
    bot_settings bot;
    bot.id = bot_id{1};
    bot.self = user_id{99};
    bot.username = "fern_bot";
    bot.allowlist = {{user_id{5401122337}}, {chat_id{-1002233445566}}};
    auto const decision = decide(u, bot);
    if (auto* nothing = std::get_if<to_nothing>(&decision))
        require(!nothing->rule.empty(), "a rule is named");
    if (auto* job = std::get_if<to_job>(&decision)) check_split(job->text);

    auto const incident = watched(u, bot);
    if (incident) {
        auto const& job = incident->job;
        bool const has_text = incident->event == agent::group_event::message ||
                              incident->event == agent::group_event::edit;
        require(!has_text || !job.text.empty(), "a message has something to store");
        require(!job.heard.seen.empty(), "a flow sees what happened");
        require(base::raw(job.heard.from.chat) < 0, "private chats are nobody's to watch");
        auto const& item = job.heard.seen;
        auto const again = agent::group_message_from(boost::json::value(item));
        require(
            !has_text || agent::group_message_from(boost::json::value(to_json(again))) == again,
            "what is seen comes back"
        );
    }
    bot.allowlist = {};
    require(!watched(u, bot), "empty lists watch nothing");
    require(!std::holds_alternative<to_job>(decide(u, bot)), "empty lists are nobody");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
    std::string const body(reinterpret_cast<char const*>(data), size);
    auto const outline = outline_update(body);
    auto const json = base::parse_json(body);
    if (json && json->is_object()) require(outline.json, "the scanner takes what the parser takes");

    auto const parsed = parse_update(body);
    if (std::holds_alternative<unusable_update>(parsed))
        require(outline.json && outline.update_id, "an unusable update is JSON with an id");
    if (auto* u = std::get_if<update>(&parsed)) check_decision(*u);
    check_split(body);
    parse_cut_update(body);
    array_elements(body, "result");
    return 0;
}
