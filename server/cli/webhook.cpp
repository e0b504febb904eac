// `bot webhook set|info|delete`: one call to Telegram each.
#include "base/json_text.hpp"
#include "base/random.hpp"
#include "net/http_client.hpp"
#include "server/cli/command.hpp"
#include "server/start/local_database.hpp"
#include "server/telegram/bot_api.hpp"
#include "storage/migrations.hpp"
#include "storage/stores/bots.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

// The bot that the command means.
base::result<server::bot_config const*> chosen_bot(context const& in) {
    auto const& bots = in.configured.values.bots;
    if (bots.empty())
        return base::error(base::errc::invalid, "there is no bot: set TELEGRAM_BOT_TOKEN");
    if (in.args.bot.empty() && bots.size() == 1) return &bots.front();
    auto const name = in.args.bot.empty() ? std::string("main") : in.args.bot;
    std::string known;
    for (auto const& bot : bots) {
        if (bot.name == name) return &bot;
        known += (known.empty() ? "" : ", ") + bot.name;
    }
    return base::error(
        base::errc::not_found, "there is no bot " + name + "; --bot is one of: " + known
    );
}

template<class T>
using answer = std::optional<telegram::api_result<T>>;

template<class T>
base::awaitable<void> keep(base::awaitable<telegram::api_result<T>> call, answer<T>& to) {
    to.emplace(co_await std::move(call));
}

// Runs one call on a loop of its own. `call` gets the bot's api.
template<class T, class Call>
base::result<T> ask_telegram(context const& in, Call call) {
    auto chosen = chosen_bot(in);
    if (!chosen) return chosen.error();
    auto const& bot = **chosen;
    boost::asio::io_context loop(1);
    auto http = net::make_http_client(loop.get_executor());
    auto api = telegram::make_bot_api(*http, base::system_clock(), {bot.api_base, bot.token});
    if (!api) return api.error();
    answer<T> got;
    std::exception_ptr failure;
    boost::asio::co_spawn(loop, keep<T>(call(**api), got), [&](std::exception_ptr e) {
        failure = e;
        http->close();
    });
    loop.run();
    if (failure) std::rethrow_exception(failure);
    if (!*got) return got->error().why;
    if constexpr (std::is_void_v<T>)
        return {};
    else
        return std::move(**got);
}

// The configured secret, or the one that the server made and keeps with the bot.
base::result<base::secret> webhook_secret(context const& in, server::bot_config const& bot) {
    if (!bot.webhook_secret.empty()) return bot.webhook_secret;
    auto const& settings = in.configured.values;
    auto db = server::open_local_database(settings, "postrider bot");
    if (!db) return db.error();
    auto migrated = storage::migrate(db->options);
    if (!migrated) return migrated.error();
    base::secret kept;
    base::secret const fresh(base::hex_token(base::system_random(), 32));
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        kept = storage::ensure_bot(tx, bot.name, fresh).webhook_secret;
    });
    if (!read) return read.error();
    return kept;
}

} // namespace

int webhook_set(context const& in) {
    auto const& settings = in.configured.values;
    if (settings.public_url.empty()) {
        in.err << "postrider: say where Telegram reaches the server: POSTRIDER_PUBLIC_URL\n";
        return 2;
    }
    auto base = net::parse_base_url(settings.public_url);
    if (!base) return fail(in, "use POSTRIDER_PUBLIC_URL", base.error());
    auto bot = chosen_bot(in);
    if (!bot) return fail(in, "set the webhook", bot.error());
    auto secret = webhook_secret(in, **bot);
    if (!secret) return fail(in, "find the webhook's secret", secret.error());
    auto const url = base->origin + base->path + "/telegram/" + (*bot)->name;
    auto set = ask_telegram<void>(in, [&](telegram::bot_api& api) {
        return api.set_webhook({url, *secret});
    });
    if (!set) return fail(in, "set the webhook", set.error());
    in.out << url << '\n';
    return 0;
}

int webhook_info(context const& in) {
    auto info = ask_telegram<telegram::webhook_info>(in, [](telegram::bot_api& api) {
        return api.get_webhook_info();
    });
    if (!info) return fail(in, "ask for the webhook", info.error());
    if (in.args.json) {
        in.out << base::json_text(boost::json::object{
                      {"url", info->url},
                      {"pending", info->pending},
                      {"last_error", info->last_error}})
               << '\n';
        return 0;
    }
    in.out << fmt::format(
        "url         {}\npending     {}\nlast error  {}\n",
        info->url.empty() ? "none: updates are polled" : info->url,
        info->pending,
        info->last_error.empty() ? "none" : info->last_error
    );
    return 0;
}

int webhook_delete(context const& in) {
    auto done = ask_telegram<void>(in, [](telegram::bot_api& api) { return api.delete_webhook(); });
    if (!done) return fail(in, "delete the webhook", done.error());
    in.out << "deleted; waiting updates are kept\n";
    return 0;
}

} // namespace postrider::cli
