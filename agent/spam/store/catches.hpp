#pragma once
// What was done about spam: a catch for each message that was taken for it. A message is caught once, however often its
// job runs, and the parts of an album are one catch. Rows for a job's commit; what takes a transaction is blocking and
// throws as transaction::query() does.
#include "base/async.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

enum class catch_action : std::uint8_t { dry_run, remove, restrict, ban };
std::string_view name_of(catch_action action) noexcept; // "dry_run", "delete", "restrict", "ban"
std::optional<catch_action> catch_action_named(std::string_view name) noexcept;

// Who caught a message, where it was no administrator.
inline constexpr std::string_view caught_by_filter = "filter";
inline constexpr std::string_view caught_by_reports = "reports";

// By whom the caught ones are told apart.
struct catch_key {
    chat_id chat{};
    telegram_message_id message{}; // 0 = no message, but a reaction
    user_id author{};              // of a channel its chat's number
};

struct caught_message {
    catch_key key;
    bot_id bot{};
    std::optional<chat_id> sender_chat = {}; // in whose name it was written
    std::string name = {};                   // of the author, as shown
    std::string album = {};
    catch_action action = catch_action::dry_run;
    int strikes = 0; // of the author within the window, this one included
    boost::json::value verdict =
        nullptr; // {points, threshold, reason, checks}; null = a person's word
    std::string text = {};
    std::string caught_by = std::string(caught_by_filter); // or "user:ID"
    std::string group_title = {};                          // for notices, not stored; "" = not told
};

// `is_strike`: it counts as one more of the author's. What is caught already stays as it is and counts no more, but for
// what was only told of, by a dry run or by members.
// Order 78; returns no row.
storage::write catch_row(caught_message const& caught, bool is_strike);
// Where the admin chat was told of it. Orders 85 to 87, as the next ones; they return no row.
storage::write told_row(catch_key const& key, chat_id admin_chat, telegram_message_id message);
// Of a part of an album: all that was caught of it.
storage::write undone_row(catch_key const& key, std::string_view by_word_of);
// A person banned its author: that is what is to be undone, also where it was undone before.
storage::write banned_row(catch_key const& key);
// Telegram did not do all of it: people are asked to look (server/views/attention.hpp). Order 89; returns no row.
storage::write refused_row(catch_key const& key, std::string_view reason);
// Somebody has banned the author since: nobody needs to look any more. Order 91; returns no row.
storage::write settled_refusals_row(chat_id chat, user_id author);

// What is known before a catch. Its own catch, of an earlier life of the job, counts as one of the strikes.
struct catch_record {
    int strikes = 0;          // of the author within the window
    bool is_caught = false;   // this message
    bool is_of_album = false; // another part of its album is caught
    bool is_told = false;     // the admin chat knows of it
    bool is_banned = false;   // the author, within the last ten minutes
};
// `acts`: something is done now, and what was only told of before does not count.
base::awaitable<base::result<catch_record>> look_for_catch(
    storage::batcher& reads,
    catch_key key,
    std::string album,
    std::chrono::seconds window,
    bool acts,
    base::duration deadline
);

struct stored_catch {
    caught_message caught;
    bool is_stored = false; // false: of a message that was not caught
    std::optional<std::string> undone_by = {};
    std::optional<chat_id> admin_chat = {};
    telegram_message_id admin_message{};
    // False: of an anonymous administrator or the linked channel, whom nobody moderates.
    bool may_be_touched = true;
    bool is_own = false; // the bot wrote it
};
// Of several of one message, as of reactions to it, that of its author.
std::optional<stored_catch> find_catch(
    storage::transaction& tx, chat_id chat, telegram_message_id message
);
// For what an author was banned in a group and, of a supergroup, before it became one; what was undone is not among it. The newest
// first, 20 at most.
std::vector<caught_message> find_bans(storage::transaction& tx, chat_id chat, user_id author);
base::awaitable<base::result<std::optional<stored_catch>>> read_catch(
    storage::batcher& reads, catch_key key, base::duration deadline
);

} // namespace postrider::agent::spam
