// Acts on members and messages of groups, each as an effect that may be done again.
#include "agent/flow/chat/message_target.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/acting_step.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/moderation/act.hpp"
#include "base/clock.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"
#include "storage/stores/group_archive.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

enum class moderating {
    ban,
    unban,
    restrict,
    unrestrict,
    remove,
    ban_chat,
    unban_chat,
    approve,
    decline
};

constexpr base::names<moderating, 9> moderating_names{{
    {moderating::ban, "ban"},
    {moderating::unban, "unban"},
    {moderating::restrict, "restrict"},
    {moderating::unrestrict, "unrestrict"},
    {moderating::remove, "delete"},
    {moderating::ban_chat, "ban_chat"},
    {moderating::unban_chat, "unban_chat"},
    {moderating::approve, "approve"},
    {moderating::decline, "decline"},
}};

base::error unnamed(std::string_view subject) {
    return {base::errc::invalid, fmt::format("name the {}", subject)};
}

// The person named, or the sender of the message that started the execution, unless a chat wrote it.
base::result<user_id> moderated_user(node_run const& run, base::json_reader const& fields) {
    if (fields["user"]) return user_id{fields["user"].int64()};
    auto const& heard = run.started_by().heard;
    if (!heard || heard->user == user_id{}) return unnamed("user");
    auto const message = group_message_from(heard->seen);
    if (message.sender.chat) return unnamed("user: a chat wrote the message");
    return heard->user;
}

base::result<chat_id> moderated_chat(node_run const& run, base::json_reader const& fields) {
    if (fields["sender_chat"]) return chat_id{fields["sender_chat"].int64()};
    auto const& heard = run.started_by().heard;
    auto const message = heard ? group_message_from(heard->seen) : group_message{};
    if (!message.sender.chat) return unnamed("sender chat");
    return *message.sender.chat;
}

base::result<std::vector<telegram_message_id>> moderated_messages(
    node_run const& run, base::json_reader const& fields
) {
    std::vector<telegram_message_id> messages;
    for (auto const& message : fields["messages"].items_or_none())
        messages.push_back(telegram_message_id{message.int64()});
    if (!messages.empty()) return messages;
    auto const& heard = run.started_by().heard;
    if (!heard || heard->message == telegram_message_id{}) return unnamed("messages");
    return std::vector{heard->message};
}

std::optional<base::sys_time> end_of(node_run const& run, base::json_reader const& fields) {
    auto const length = base::duration_from_text(fields["for"].string_or(""));
    if (!length) return std::nullopt;
    return run.services().clock.now() +
           std::chrono::duration_cast<base::sys_time::duration>(*length);
}

base::result<moderation> of_user(
    node_run const& run, base::json_reader const& fields, moderating operation
) {
    auto const user = moderated_user(run, fields);
    if (!user) return user.error();
    switch (operation) {
    case moderating::ban:
        return ban_member{*user, fields["delete_messages"].boolean_or(false), end_of(run, fields)};
    case moderating::unban:
        return unban_member{*user};
    case moderating::restrict:
        return restrict_member{*user, false, end_of(run, fields)};
    case moderating::unrestrict:
        return restrict_member{*user, true, {}};
    default:
        return answer_join_request{*user, operation == moderating::approve};
    }
}

base::result<moderation> moderation_of(
    node_run const& run, base::json_reader const& fields, moderating operation
) {
    if (operation == moderating::remove) {
        auto messages = moderated_messages(run, fields);
        if (!messages) return messages.error();
        return remove_messages{std::move(*messages)};
    }
    if (operation != moderating::ban_chat && operation != moderating::unban_chat)
        return of_user(run, fields, operation);
    auto const chat = moderated_chat(run, fields);
    if (!chat) return chat.error();
    if (operation == moderating::ban_chat) return ban_sender_chat{*chat};
    return unban_sender_chat{*chat};
}

base::awaitable<queue::step_value> moderate_once(
    node_run& run, json::object const& parameters, std::string step
) {
    if (is_recorded(run, step)) co_return co_await recorded_result(run, step);
    json::value const values(parameters);
    base::json_reader const fields{values};
    auto const target = co_await target_of(run, fields);
    if (!target) co_return co_await run.steps().record_value(step, target.error());
    auto const name = fields["operation"].string();
    auto const act_of = moderation_of(run, fields, *base::named(moderating_names, name));
    if (!act_of) co_return co_await run.steps().record_value(step, act_of.error());
    auto item = place_json(*target);
    for (auto const& member : to_json(*act_of)) item.insert(member);
    if (run.started_by().silent) {
        run.steps().skip_unasked();
        item["delivery"] = "withheld";
        co_return json::value(std::move(item));
    }
    leave_to_a_node_serving(run.services().out, *target);
    acting_step acting{.name = step, .kind = std::string(moderation_effect)};
    acting.effect_class = queue::effect_class::idempotent;
    acting.request = item;
    acting.tries = moderation_tries;
    auto const work = [&] { return moderate_group(run.services().out, *target, *act_of, item); };
    auto moderated = co_await act(run, std::move(acting), work);
    auto const* removed = std::get_if<remove_messages>(&*act_of);
    if (moderated && removed)
        run.steps().add(storage::mark_removed(target->bot, target->chat, removed->messages));
    co_return moderated;
}

base::awaitable<base::result<outputs>> moderate_telegram(node_run& run) {
    items results;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto const parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto step = i == 0 ? std::string("moderate") : fmt::format("moderate-{}", i + 1);
        auto moderated = co_await moderate_once(run, *parameters, std::move(step));
        if (!moderated) co_return moderated.error();
        results.push_back({std::move(*moderated)});
    }
    outputs output;
    output.emplace("main", std::move(results));
    co_return output;
}

} // namespace

behaviour telegram_moderate_behaviour() {
    return durable{moderate_telegram, {"bot", "chat"}};
}

} // namespace postrider::agent::flow
