#pragma once
// Which of the published flows answers a message: as agent/flow/triggers has it for Telegram's,
// with the settings of the bot's agent; for the chat API's the one that the conversation names,
// then the assistant that ships.
#include "agent/flow/library/library.hpp"
#include "server/telegram/message_flows.hpp"

namespace postrider::server {

class answering_flows final : public telegram::message_flows {
public:
    explicit answering_flows(agent::flow::library const& library) : library_(library) {}

    std::optional<telegram::chosen_flow> choose(
        telegram::bot_settings const& bot,
        agent::flow::heard_message const& heard,
        telegram::said_words said
    ) const override;

    // Who answers over the chat API: the flow of that name, else the assistant that ships, if it
    // has a chat trigger. Nothing: neither.
    std::optional<agent::flow::start> over_chat(std::string_view chosen) const;

private:
    agent::flow::library const& library_;
};

} // namespace postrider::server
