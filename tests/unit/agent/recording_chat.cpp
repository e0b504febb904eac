#include "tests/unit/agent/turn_world.hpp"

namespace postrider::tests {

base::awaitable<base::result<telegram_message_id>> recording_chat::send(agent::outgoing message) {
    if (on_send) on_send();
    if (!failures.empty()) {
        auto failure = failures.front();
        failures.pop_front();
        if (failure.code != base::errc{}) co_return failure;
    }
    auto const& media = message.content.media;
    if (media && media->upload) {
        auto bytes = co_await media->upload->load(); // whoever gives it does not outlive the send
        if (!bytes) co_return bytes.error();
        uploaded.push_back(std::move(*bytes));
    }
    sent.push_back(std::move(message));
    co_return telegram_message_id{1000 + static_cast<std::int64_t>(sent.size())};
}

base::awaitable<base::result<std::string>> recording_chat::load_file(
    agent::address /*from*/, std::string file, std::size_t /*most*/
) {
    ++loaded;
    if (!load_failures.empty()) {
        auto failure = load_failures.front();
        load_failures.pop_front();
        co_return failure;
    }
    auto const entry = files.find(file);
    if (entry == files.end()) co_return base::error(base::errc::not_found, "no such file");
    co_return entry->second;
}

base::awaitable<void> recording_chat::typing(agent::address /*to*/) {
    ++typed;
    co_return;
}

base::awaitable<base::result<void>> recording_chat::edit(
    agent::address /*to*/, telegram_message_id message, agent::message_content content
) {
    edited.emplace_back(message, std::move(content));
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> recording_chat::react(
    agent::address /*to*/, telegram_message_id message, std::string emoji
) {
    reactions.emplace_back(message, std::move(emoji));
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> recording_chat::remove(
    agent::address /*to*/, telegram_message_id message
) {
    removed.push_back(message);
    co_return base::result<void>{};
}

base::awaitable<base::result<agent::chat_member>> recording_chat::get_member(
    agent::address /*to*/, user_id user
) {
    auto const member = members.find(user);
    if (member == members.end()) co_return base::error(base::errc::not_found, "user not found");
    co_return member->second;
}

base::awaitable<base::result<std::vector<agent::chat_member>>> recording_chat::get_administrators(
    agent::address /*to*/
) {
    ++looks_at_administrators;
    if (administrator_failures.empty()) co_return administrators;
    auto failure = administrator_failures.front();
    administrator_failures.pop_front();
    co_return failure;
}

base::awaitable<base::result<void>> recording_chat::moderate(
    agent::address place, agent::moderation act
) {
    moderated.emplace_back(place.chat, std::move(act));
    if (moderation_failures.empty()) co_return base::result<void>{};
    auto failure = moderation_failures.front();
    moderation_failures.pop_front();
    co_return failure;
}

std::vector<agent::message_content> recording_chat::split(
    agent::address const& /*to*/, agent::message_content content
) const {
    std::vector<agent::message_content> parts;
    std::string_view text = content.text;
    for (; text.size() > part_size; text.remove_prefix(part_size))
        parts.emplace_back().text = text.substr(0, part_size);
    auto last = content;
    last.text = text;
    parts.push_back(std::move(last));
    return parts;
}

} // namespace postrider::tests
