#include "storage/stores/bots.hpp"

#include "base/json/row.hpp"
#include "storage/execute.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

constexpr statement upsert_bot{"upsert_bot", R"(
insert into postrider.bot (name, webhook_secret) values ($1, $2)
on conflict (name) do update set webhook_secret = coalesce(bot.webhook_secret, excluded.webhook_secret)
returning bot_id, telegram_id, username, webhook_secret, stopped_reason
)"};

constexpr statement all_bots{"all_bots", "select name from postrider.bot order by name"};

constexpr statement page_of_bots{"list_bots", R"(
select b.name, b.username, b.telegram_id, postrider.iso(b.stopped_at),
       b.stopped_reason, postrider.iso(p.paused_at)
from postrider.bot b left join postrider.pause p on p.bot_id = b.bot_id
where b.name > $1 order by b.name limit $2::bigint
)"};

constexpr statement forget_updates_of_another{"forget_updates_of_another", R"(
delete from postrider.inbox i using postrider.bot b
where b.bot_id = $1 and b.telegram_id <> $2 and i.bot_id = b.bot_id
)"};

constexpr statement identify_bot{"identify_bot", R"(
update postrider.bot
set telegram_id = $2, username = $3, offered_commands = case when telegram_id = $2 then offered_commands end
where bot_id = $1
)"};

constexpr statement offered_commands{
    "offered_commands", "select offered_commands from postrider.bot where bot_id = $1"};

constexpr statement note_offered_commands{
    "note_offered_commands", "update postrider.bot set offered_commands = $2 where bot_id = $1"};

constexpr statement stop_bot{"stop_bot", R"(
update postrider.bot set stopped_at = postrider.now(), stopped_reason = $2
where bot_id = $1 and stopped_at is null
)"};

constexpr statement start_bot{"start_bot", R"(
update postrider.bot set stopped_at = null, stopped_reason = null
where bot_id = $1 and stopped_at is not null
)"};

constexpr statement look_for_bot{"look_for_bot", R"(
select t.i, b.bot_id from json_to_recordset($1::json) as t(i int, name text)
join postrider.bot b on b.name = t.name
)"};

} // namespace

bot_row ensure_bot(transaction& tx, std::string_view name, base::secret const& new_secret) {
    auto const found = tx.query(upsert_bot, {name, new_secret.reveal()});
    auto const& row = found.at(0);
    bot_row bot;
    bot.id = row.id<bot_id>(0);
    if (auto id = row.optional_int64(1)) bot.telegram_id = user_id{*id};
    bot.username = row.optional_text(2).value_or("");
    bot.webhook_secret = base::secret(row.text(3));
    bot.stopped_reason = row.optional_text(4);
    return bot;
}

std::vector<std::string> bot_names(transaction& tx) {
    std::vector<std::string> names;
    for (auto const& row : tx.query(all_bots, {})) names.push_back(row.text(0));
    return names;
}

std::vector<known_bot> list_bots(transaction& tx, std::string_view after, int limit) {
    std::vector<known_bot> bots;
    for (auto const& row : tx.query(page_of_bots, {after, limit})) {
        known_bot bot;
        bot.name = row.text(0);
        bot.username = row.optional_text(1).value_or("");
        if (auto const id = row.optional_int64(2)) bot.telegram_id = user_id{*id};
        bot.stopped_at = row.optional_text(3).value_or("");
        bot.stopped_reason = row.optional_text(4).value_or("");
        bot.paused_at = row.optional_text(5).value_or("");
        bots.push_back(std::move(bot));
    }
    return bots;
}

base::awaitable<base::result<void>> store_identity(
    database& db, bot_id bot, user_id self, std::string username, base::duration deadline
) {
    auto work = [bot, self, username = std::move(username)](transaction& tx) {
        tx.query(forget_updates_of_another, {bot, self});
        tx.query(identify_bot, {bot, self, username});
    };
    return db.run("store_identity", std::move(work), deadline);
}

base::awaitable<base::result<std::string>> find_offered_commands(
    database& db, bot_id bot, base::duration deadline
) {
    std::vector<param> parameters{bot};
    auto const found = co_await db.query(offered_commands, std::move(parameters), deadline);
    if (!found) co_return found.error();
    if (found->empty()) co_return std::string();
    co_return found->front().optional_text(0).value_or("");
}

base::awaitable<base::result<void>> store_offered_commands(
    database& db, bot_id bot, std::string digest, base::duration deadline
) {
    return execute(db, note_offered_commands, {bot, std::move(digest)}, deadline);
}

base::awaitable<base::result<std::optional<bot_id>>> find_bot(
    batcher& reads, std::string name, base::duration deadline
) {
    write question{&look_for_bot, base::json_row{{"name", name}}.text()};
    auto found = co_await query(reads, std::move(question), deadline);
    if (!found) co_return found.error();
    if (found->empty()) co_return std::nullopt;
    co_return found->front().id<bot_id>(1);
}

base::awaitable<base::result<void>> store_stopped(
    database& db, bot_id bot, std::string reason, base::duration deadline
) {
    return execute(db, stop_bot, {bot, std::move(reason)}, deadline);
}

base::awaitable<base::result<void>> store_running(
    database& db, bot_id bot, base::duration deadline
) {
    return execute(db, start_bot, {bot}, deadline);
}

} // namespace postrider::storage
