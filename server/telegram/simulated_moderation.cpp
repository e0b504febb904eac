// Members and messages of groups, as administrators change them.
#include "server/telegram/simulated_methods.hpp"

#include <algorithm>

namespace postrider::telegram {

namespace {

using base::json_reader;
using json_object = base::json::object;

constexpr std::size_t most_removed = 100;
constexpr std::string_view rights[]{
    "can_delete_messages", "can_restrict_members", "can_invite_users"};

json_object member_of(desk const& desk, user_id user, std::string_view status) {
    bool const is_bot = user == desk.bot.id;
    json_object member{
        {"user", {{"id", base::raw(user)}, {"is_bot", is_bot}, {"first_name", "Alex"}}},
        {"status", status},
    };
    if (status != "administrator") return member;
    for (auto const right : rights)
        member[right] = desk.chats.may(desk.call.chat, user, std::string(right));
    return member;
}

std::int64_t number_in(desk const& desk, std::string_view member) {
    base::json::value const params = desk.call.params;
    return json_reader{params}[member].int64_or(0);
}

user_id user_of(desk const& desk) {
    return user_id{number_in(desk, "user_id")};
}

// A group that is known, where the bot has the right.
std::optional<simulated_answer> refuse_bot(
    desk const& desk, std::string const& right, std::string_view purpose
) {
    auto const chat = desk.call.chat;
    if (!desk.chats.knows(chat)) return simulated_answer::failure(400, "chat not found");
    if (base::raw(chat) > 0)
        return simulated_answer::failure(
            400, "chat member status can't be changed in private chats"
        );
    if (!desk.chats.may(chat, desk.bot.id, right))
        return simulated_answer::failure(400, "not enough rights to " + std::string(purpose));
    return std::nullopt;
}

// What all changes of a member need: also somebody who may be touched.
std::optional<simulated_answer> refuse_change(desk const& desk, user_id user) {
    auto refused = refuse_bot(desk, "can_restrict_members", "restrict/unrestrict chat member");
    if (refused) return refused;
    auto const standing = desk.chats.standing(desk.call.chat, user);
    if (standing.empty()) return simulated_answer::failure(400, "PARTICIPANT_ID_INVALID");
    if (standing == "creator") return simulated_answer::failure(400, "can't remove chat owner");
    if (standing == "administrator")
        return simulated_answer::failure(400, "user is an administrator of the chat");
    return std::nullopt;
}

simulated_answer get_chat_member(desk const& desk) {
    if (!desk.chats.knows(desk.call.chat)) return simulated_answer::failure(400, "chat not found");
    auto const user = user_of(desk);
    auto const standing = desk.chats.standing(desk.call.chat, user);
    if (standing.empty()) return simulated_answer::failure(400, "user not found");
    return simulated_answer::ok(member_of(desk, user, standing));
}

simulated_answer get_chat(desk const& desk) {
    auto const chat = desk.call.chat;
    if (!desk.chats.knows(chat)) return simulated_answer::failure(400, "chat not found");
    json_object details{{"id", base::raw(chat)}, {"type", "supergroup"}};
    if (auto title = desk.chats.title(chat); !title.empty()) details["title"] = std::move(title);
    if (auto const channel = desk.chats.linked(chat))
        details["linked_chat_id"] = base::raw(*channel);
    return simulated_answer::ok(std::move(details));
}

simulated_answer get_administrators(desk const& desk) {
    if (!desk.chats.knows(desk.call.chat)) return simulated_answer::failure(400, "chat not found");
    base::json::array members;
    for (auto const& [user, standing] : desk.chats.members(desk.call.chat))
        if (standing == "creator" || standing == "administrator")
            members.push_back(member_of(desk, user, standing));
    return simulated_answer::ok(std::move(members));
}

simulated_answer change_standing(desk const& desk, std::string standing) {
    auto const user = user_of(desk);
    if (auto refused = refuse_change(desk, user)) return *refused;
    desk.chats.set_standing(desk.call.chat, user, std::move(standing));
    return simulated_answer::ok(true);
}

simulated_answer restrict_chat_member(desk const& desk) {
    base::json::value const params = desk.call.params;
    bool const may_send = json_reader{params}["permissions"]["can_send_messages"].boolean_or(false);
    return change_standing(desk, may_send ? "member" : "restricted");
}

simulated_answer ban_chat_member(desk const& desk) {
    return change_standing(desk, "kicked");
}

simulated_answer unban_chat_member(desk const& desk) {
    auto const user = user_of(desk);
    if (auto refused = refuse_change(desk, user)) return *refused;
    if (desk.chats.standing(desk.call.chat, user) == "kicked")
        desk.chats.set_standing(desk.call.chat, user, "left");
    return simulated_answer::ok(true);
}

simulated_answer change_sender_chat(desk const& desk) {
    auto refused = refuse_bot(desk, "can_restrict_members", "ban a chat");
    if (refused) return *refused;
    if (number_in(desk, "sender_chat_id") >= 0)
        return simulated_answer::failure(400, "invalid sender_chat_id specified");
    return simulated_answer::ok(true);
}

simulated_answer answer_join(desk const& desk, std::string standing) {
    auto refused = refuse_bot(desk, "can_invite_users", "manage chat join requests");
    if (refused) return *refused;
    auto const user = user_of(desk);
    if (desk.chats.standing(desk.call.chat, user) == "member")
        return simulated_answer::failure(400, "USER_ALREADY_PARTICIPANT");
    if (!desk.chats.answer_join(desk.call.chat, user))
        return simulated_answer::failure(400, "HIDE_REQUESTER_MISSING");
    desk.chats.set_standing(desk.call.chat, user, std::move(standing));
    return simulated_answer::ok(true);
}

simulated_answer approve_join(desk const& desk) {
    return answer_join(desk, "member");
}

simulated_answer decline_join(desk const& desk) {
    return answer_join(desk, "left");
}

// Without the right a bot deletes in a group its own messages alone.
bool may_remove(desk const& desk, telegram_message_id message) {
    auto const chat = desk.call.chat;
    return base::raw(chat) > 0 || desk.chats.sent(chat, message) ||
           desk.chats.may(chat, desk.bot.id, "can_delete_messages");
}

simulated_answer delete_message(desk const& desk) {
    if (!desk.chats.knows(desk.call.chat)) return simulated_answer::failure(400, "chat not found");
    desk.call.message = telegram_message_id{number_in(desk, "message_id")};
    if (!desk.chats.has(desk.call.chat, desk.call.message))
        return simulated_answer::failure(400, "message to delete not found");
    if (!may_remove(desk, desk.call.message))
        return simulated_answer::failure(400, "message can't be deleted");
    desk.chats.remove(desk.call.chat, desk.call.message);
    return simulated_answer::ok(true);
}

// Those that are not there are passed over.
simulated_answer delete_messages(desk const& desk) {
    auto const chat = desk.call.chat;
    if (!desk.chats.knows(chat)) return simulated_answer::failure(400, "chat not found");
    base::json::value const params = desk.call.params;
    auto const numbers = json_reader{params}["message_ids"].items_or_none();
    if (numbers.empty())
        return simulated_answer::failure(400, "message identifiers are not specified");
    if (numbers.size() > most_removed)
        return simulated_answer::failure(400, "too many messages specified");
    for (auto const& number : numbers) {
        telegram_message_id const message{number.int64_or(0)};
        if (!desk.chats.has(chat, message)) continue;
        if (!may_remove(desk, message))
            return simulated_answer::failure(400, "message can't be deleted");
        desk.chats.remove(chat, message);
    }
    return simulated_answer::ok(true);
}

constexpr simulated_method methods_of_groups[]{
    {"getChat", get_chat},
    {"getChatMember", get_chat_member},
    {"getChatAdministrators", get_administrators},
    {"restrictChatMember", restrict_chat_member},
    {"banChatMember", ban_chat_member},
    {"unbanChatMember", unban_chat_member},
    {"banChatSenderChat", change_sender_chat},
    {"unbanChatSenderChat", change_sender_chat},
    {"approveChatJoinRequest", approve_join},
    {"declineChatJoinRequest", decline_join},
    {"deleteMessage", delete_message},
    {"deleteMessages", delete_messages},
};

} // namespace

std::span<simulated_method const> group_methods() {
    return methods_of_groups;
}

} // namespace postrider::telegram
