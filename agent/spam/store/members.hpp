#pragma once
// What the filter knows of a group's members, in Postgres: approval, strikes, bans. Their messages are counted by
// judgements.hpp. Blocking, inside the caller's transaction; throws as transaction::query() does.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

struct member {
    chat_id chat{};
    user_id user{};
    std::string name;                       // as the archive has it; "" = not known
    int messages = 0;                       // that passed and count
    int strikes = 0;                        // kept: the newest 20
    std::optional<std::string> approved_at; // ISO 8601 in UTC, as the next but one
    std::optional<std::string> approved_by; // "messages", or on whose word
    std::optional<std::string> banned_at;
    std::optional<std::string> banned_by;
};

// One who has written nothing yet has no row: a member without anything.
member find_member(storage::transaction& tx, chat_id chat, user_id user);

enum class member_state : std::uint8_t { approved, struck, banned };

std::string_view name_of(member_state state) noexcept; // "approved", …
std::optional<member_state> member_state_named(std::string_view name) noexcept;

// Where a page ended.
struct member_place {
    std::int64_t messages = 0;
    user_id user{};
};

struct member_filter {
    chat_id chat{};
    std::optional<member_state> state = {};
    std::optional<member_place> before = {};
    int limit = 50;
};
// The members with most messages first.
std::vector<member> list_members(storage::transaction& tx, member_filter const& filter);

void approve(storage::transaction& tx, chat_id chat, user_id user, std::string_view by_word_of);
// Back to the first message.
void disapprove(storage::transaction& tx, chat_id chat, user_id user);

// The strikes within the window, this one included.
int add_strike(storage::transaction& tx, chat_id chat, user_id user, std::chrono::seconds window);

void ban(storage::transaction& tx, chat_id chat, user_id user, std::string_view by_word_of);

} // namespace postrider::agent::spam
