#pragma once
// Which of the published flows answers a message of Telegram's: as agent/flow/library/triggers has it,
// with the settings of the bot's agent. A flow that names a group by its id goes on with the supergroup that it became.
#include "agent/flow/library/library.hpp"
#include "server/telegram/message_flows.hpp"

#include <functional>
#include <optional>
#include <set>

namespace postrider::server {

class answering_flows final : public telegram::message_flows {
public:
    // Both outlive it.
    answering_flows(agent::flow::library const& library, telegram::chat_moves const& moves)
        : library_(library),
          moves_(moves) {}

    std::optional<telegram::chosen_flow> choose(
        telegram::bot_settings const& bot,
        agent::flow::heard_message const& message,
        telegram::said_words words
    ) const override;
    std::optional<telegram::chosen_flow> choose_watching(
        telegram::bot_settings const& bot, telegram::watched_update const& incident
    ) const override;
    std::set<agent::group_event> watched_events(telegram::bot_settings const& bot) const override;

private:
    // What takes the group by the id that it has, else by the one that it had, else any group.
    std::optional<agent::flow::start> taking(
        telegram::bot_settings const& bot,
        chat_id chat,
        std::function<std::optional<agent::flow::start>(chat_id)> const& find
    ) const;
    telegram::chosen_flow chosen_from(agent::flow::start const& start) const;
    // What its settings say of the lane.
    void set_lane(
        telegram::chosen_flow& chosen,
        agent::flow::heard_message const& message,
        std::string_view text
    ) const;

    agent::flow::library const& library_;
    telegram::chat_moves const& moves_;
};

} // namespace postrider::server
