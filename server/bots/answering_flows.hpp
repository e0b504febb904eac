#pragma once
// Which of the published flows answers a message of Telegram's: as agent/flow/library/triggers has it,
// with the settings of the bot's agent.
#include "agent/flow/library/library.hpp"
#include "server/telegram/message_flows.hpp"

namespace postrider::server {

class answering_flows final : public telegram::message_flows {
public:
    explicit answering_flows(agent::flow::library const& library) : library_(library) {}

    std::optional<telegram::chosen_flow> choose(
        telegram::bot_settings const& bot,
        agent::flow::heard_message const& message,
        telegram::said_words words
    ) const override;

private:
    agent::flow::library const& library_;
};

} // namespace postrider::server
