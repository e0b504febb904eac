#include "server/demo/earlier_chat.hpp"

#include "storage/query.hpp"
#include "storage/stores/lane_messages.hpp"
#include "storage/stores/lanes.hpp"
#include "storage/transact.hpp"

#include <algorithm>

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_recall = 5s;
constexpr int most_recalled = 200; // rows, calls of tools among them

std::vector<shown_message> read_history(storage::transaction& tx, lane_id lane) {
    std::vector<shown_message> shown;
    for (auto& said : storage::list_lane_messages(tx, lane, {}, most_recalled)) {
        bool const is_there = said.telegram_message && !said.removed && said.role != "tool";
        if (!is_there) continue;
        shown_message message{.id = telegram_message_id{*said.telegram_message}};
        message.is_persons = said.role == "user";
        message.text = std::move(said.content);
        message.created_at = said.sent_at.empty() ? said.created_at : said.sent_at;
        shown.push_back(std::move(message));
    }
    std::ranges::reverse(shown);
    return shown;
}

} // namespace

base::awaitable<base::result<earlier_chat>> read_earlier_chat(
    storage::connections const& postgres, agent::address chat, base::sys_time now
) {
    storage::lane_row row;
    row.key = agent::own_lane_key(chat);
    row.bot = chat.bot;
    row.chat = chat.chat;
    auto const lanes =
        co_await storage::query(*postgres.intake, storage::find_or_add_lane(row), longest_recall);
    if (!lanes) co_return lanes.error();
    auto const lane = storage::read_lane(lanes->front());
    auto read = [lane](storage::transaction& tx) { return read_history(tx, lane); };
    auto messages = co_await storage::transact(
        *postgres.console, "demo.recall", std::move(read), longest_recall
    );
    if (!messages) co_return messages.error();
    auto const question = co_await newest_open_question(*postgres.console, chat.chat, now);
    if (question) {
        auto const asked = std::ranges::find(*messages, question->message, &shown_message::id);
        if (asked != messages->end()) asked->buttons = question->buttons;
    }
    co_return earlier_chat{lane, std::move(*messages)};
}

} // namespace postrider::server
