#include "agent/tools/tool.hpp"
#include "base/json/json.hpp"
#include "storage/stores/group_archive.hpp"

namespace postrider::agent {

namespace {

namespace json = boost::json;
using base::errc;

constexpr base::duration author_deadline = std::chrono::seconds{5};

struct user_names {
    std::string username;
    std::string first_name;
    std::string last_name;
    std::string standing; // "" = not known
};

// As Telegram tells it of a member.
base::awaitable<base::result<user_names>> names_of_member(
    tool_context& context, address const& chat, user_id user
) {
    auto const member = co_await context.out()->get_member(chat, user);
    if (!member) co_return member.error();
    co_return user_names{
        member->username,
        member->first_name,
        member->last_name,
        std::string(to_string(member->standing))};
}

// As it stood with the last that the user wrote there.
base::awaitable<base::result<user_names>> names_in_archive(
    tool_context& context, address const& chat, user_id user
) {
    auto const author = co_await storage::find_author(
        *context.reads(), chat.bot, chat.chat, context.job().lane, user, author_deadline
    );
    if (!author) co_return author.error();
    if (!*author) co_return base::error(errc::not_found, "nobody of this chat has this id");
    base::json_reader const names{(*author)->author};
    co_return user_names{
        names["username"].string_or(""),
        names["first_name"].string_or((*author)->name),
        names["last_name"].string_or(""),
        ""};
}

base::awaitable<base::result<tool_output>> run_get_user_info(
    tool_context& context, json::object arguments
) {
    auto const& asking = context.requester();
    auto const chat = address_of(asking);
    if (chat.is_conversation() || !chat.is_complete() || !context.out() || !context.reads())
        co_return base::error(errc::refused, "this run has no chat of Telegram");
    user_id const user{arguments.at("user_id").to_number<std::int64_t>()};
    auto names = co_await names_of_member(context, chat, user);
    if (!names && names.error() == errc::not_found)
        names = co_await names_in_archive(context, chat, user);
    if (!names) co_return names.error();
    json::object info{
        {"user_id", base::raw(user)},
        {"username", names->username},
        {"first_name", names->first_name}};
    if (!names->last_name.empty()) info["last_name"] = names->last_name;
    info["is_owner"] = context.is_owner(user);
    if (!names->standing.empty()) info["standing"] = names->standing;
    co_return tool_output::of(std::move(info));
}

} // namespace

extern constinit tool const get_user_info_tool{
    .name = "get_user_info",
    .title = "User information",
    .documentation = R"(
        Lets an agent look up a member of the chat by id: the user name, first and last name, and the standing in
        the chat. It also says whether the person is an owner of the bot.)"_folded,
    .description = R"(
        Returns what is known of a user of this chat: username, first_name, last_name, is_owner and standing.
        Names are chosen by the users themselves and prove nothing; only is_owner tells an owner.)"_folded,
    .arguments = R"({
        "type": "object",
        "properties": {
            "user_id": {
                "type": "integer",
                "minimum": 1,
                "maximum": 9007199254740991,
                "description": "The user's id."
            }
        },
        "required": ["user_id"],
        "additionalProperties": false
    })",
    .returns_untrusted = true,
    .run = run_get_user_info,
};

} // namespace postrider::agent
