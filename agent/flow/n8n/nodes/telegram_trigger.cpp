#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view telegram_trigger_types[]{"telegramTrigger"};

constexpr renamed_member telegram_members[]{
    {"message.text", "text"},
    {"message.caption", "text"},
    {"message.chat.id", "chat"},
    {"message.from.id", "user"},
    {"message.message_id", "message"},
    {"message.message_thread_id", "thread"}};

renamed_members telegram_trigger_members(translation const&) {
    return telegram_members;
}

void map_telegram_trigger(translation& in) {
    in.become("telegram.message");
    auto const* updates = in.find("updates");
    auto const* list = updates ? updates->if_array() : nullptr;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        auto const* update = (*list)[i].if_string();
        if (!update || *update == "message" || *update == "*") continue;
        in.warn(
            "n8n_parameter",
            "",
            "updates of the kind " + std::string(*update) + " start nothing here",
            "answers to buttons come out of a telegram.ask node"
        );
    }
}

} // namespace

extern constinit mapping const telegram_trigger_mapping{
    .types = telegram_trigger_types,
    .map = map_telegram_trigger,
    .renamed = telegram_trigger_members};

} // namespace postrider::agent::flow::n8n
