#include "agent/flow/n8n/mapping.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view telegram_trigger_types[]{"telegramTrigger"};

// A message has one file here, whatever its kind: n8n has a member for each.
// clang-format off
#define FILE_MEMBERS(kind, of) \
    {"message." kind, "file:" of}, \
    {"message." kind ".file_id", "file.id"}, \
    {"message." kind ".file_unique_id", "file.id"}, \
    {"message." kind ".file_name", "file.name"}, \
    {"message." kind ".mime_type", "file.mime"}, \
    {"message." kind ".file_size", "file.bytes"}
// clang-format on

constexpr renamed_member telegram_members[]{
    {"message.text", "text"},
    {"message.caption", "text"},
    {"message.chat.id", "chat"},
    {"message.from.id", "user"},
    {"message.message_id", "message"},
    {"message.message_thread_id", "thread"},
    {"message.photo", "images"},
    FILE_MEMBERS("document", "document"),
    FILE_MEMBERS("voice", "audio"),
    FILE_MEMBERS("audio", "audio"),
    FILE_MEMBERS("video", "video"),
    FILE_MEMBERS("video_note", "video"),
    {"message.*", ""},
    {"callback_query", ""},
    {"callback_query.*", ""},
    {"edited_message", ""},
    {"edited_message.*", ""},
    {"channel_post", ""},
    {"channel_post.*", ""}};
#undef FILE_MEMBERS

// A node asks Telegram for a file, or the trigger does.
bool takes_files(translation const& in) {
    return in.is_true("additionalFields.download") ||
           std::ranges::any_of(in.flow().nodes, [](workflow_node const& node) {
               auto const* resource = node.parameters.if_contains("resource");
               return node.short_type() == "telegram" && resource && *resource == "file";
           });
}

renamed_members telegram_trigger_members(translation const&) {
    return telegram_members;
}

void map_telegram_trigger(translation& in) {
    in.become("telegram.message");
    if (takes_files(in)) in.put_value("files", true);
    auto const* updates = in.find("updates");
    auto const* list = updates ? updates->if_array() : nullptr;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        auto const* update = (*list)[i].if_string();
        if (!update || *update == "message" || *update == "*") continue;
        in.warn(
            "n8n_parameter",
            "",
            "updates of the kind " + std::string(*update) + " start nothing here",
            "answers to buttons come out of a telegram.ask node",
            "updates"
        );
    }
}

} // namespace

extern constinit mapping const telegram_trigger_mapping{
    .types = telegram_trigger_types,
    .map = map_telegram_trigger,
    .renamed = telegram_trigger_members};

} // namespace postrider::agent::flow::n8n
