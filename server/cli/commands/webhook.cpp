// `bot webhook set|info|delete`: one call to Telegram each.
#include "base/json/text.hpp"
#include "base/random.hpp"
#include "base/texts.hpp"
#include "server/bots/bots.hpp"
#include "server/cli/database_work.hpp"
#include "server/cli/online_work.hpp"
#include "server/cli/parser/option_parser.hpp"
#include "server/cli/parser/suggestion.hpp"
#include "server/start/config.hpp"
#include "server/start/local_database.hpp"
#include "server/telegram/bot_api.hpp"
#include "storage/stores/audit.hpp"
#include "storage/stores/bots.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

struct webhook_arguments {
    std::string bot; // "" = the only one, or main
};

void declare_webhook(option_parser& parser, webhook_arguments& args) {
    parser.add_option("--bot", args.bot, "Name of the bot (main)")->type_name("NAME");
}

// The bot that the command means.
base::result<server::bot_config const*> chosen_bot(
    context const& in, webhook_arguments const& args
) {
    auto const& bots = in.configured.values.bots;
    if (bots.empty())
        return base::error(base::errc::invalid, "there is no bot: set TELEGRAM_BOT_TOKEN");
    if (args.bot.empty() && bots.size() == 1) return &bots.front();
    auto const name = args.bot.empty() ? std::string("main") : args.bot;
    std::vector<std::string> names;
    for (auto const& bot : bots) {
        if (bot.name == name) return &bot;
        names.push_back(bot.name);
    }
    return base::error(
        base::errc::not_found,
        fmt::format(
            "there is no bot {}{}",
            name,
            hint_and(suggestion(name, names), "--bot is one of: " + base::joined(names, ", "))
        )
    );
}

template<class T, class Call>
base::awaitable<telegram::api_result<T>> call_telegram(
    net::http_client& http, server::bot_config const& bot, Call call
) {
    auto api = telegram::make_bot_api(http, base::system_clock(), {bot.api_base, bot.token});
    if (!api) {
        telegram::api_failure failure;
        failure.cause = api.error();
        co_return failure;
    }
    co_return co_await call(**api);
}

// `call` gets the bot's api.
template<class T, class Call>
base::result<T> ask_telegram(context const& in, webhook_arguments const& args, Call call) {
    auto const bot = chosen_bot(in, args);
    if (!bot) return bot.error();
    auto answer =
        run_online([&](net::http_client& http) { return call_telegram<T>(http, **bot, call); });
    if (!answer) return answer.error().cause;
    if constexpr (std::is_void_v<T>)
        return {};
    else
        return std::move(*answer);
}

// The configured secret, or the one that the server made and keeps with the bot; none: the failure
// has been told.
std::optional<base::secret> webhook_secret(context const& in, server::bot_config const& bot) {
    if (!bot.webhook_secret.empty()) return bot.webhook_secret;
    base::secret stored_secret;
    base::secret const fresh(base::hex_token(base::system_random(), 32));
    int const code = in_new_database(in, "find the webhook's secret", [&](auto& tx) {
        stored_secret = storage::ensure_bot(tx, bot.name, fresh).webhook_secret;
    });
    return code == 0 ? std::optional(stored_secret) : std::nullopt;
}

// Before Telegram is asked and after it has answered. It may need no database: one that is away is only told of.
void note(
    context const& in,
    server::bot_config const& bot,
    std::string_view kind,
    boost::json::object const& detail
) {
    auto const db = open_database(in);
    auto noted = db ? base::result<void>{} : base::result<void>{db.error()};
    if (db)
        noted = storage::run_blocking(db->options, [&](storage::transaction& tx) {
            act_as_operator(tx);
            storage::audit_operation(tx, kind, {}, "bot:" + bot.name, detail);
        });
    if (!noted) in.err << "It is not in the audit: " << noted.error().detail << '\n';
}

boost::json::object outcome_of(base::result<void> const& done, boost::json::object detail) {
    detail["outcome"] = done ? "done" : "failed";
    if (!done) detail["error"] = base::to_string(done.error().code);
    return detail;
}

int set_webhook(context const& in, webhook_arguments const& args) {
    auto const& settings = in.configured.values;
    if (settings.public_url.empty())
        return usage(in, "say where Telegram reaches the server: POSTRIDER_PUBLIC_URL");
    auto base = net::parse_base_url(settings.public_url);
    if (!base) return fail(in, "use POSTRIDER_PUBLIC_URL", base.error());
    auto bot = chosen_bot(in, args);
    if (!bot) return fail(in, "set the webhook", bot.error());
    auto secret = webhook_secret(in, **bot);
    if (!secret) return 1;
    auto const url = base->origin + base->path + "/telegram/" + (*bot)->name;
    telegram::webhook_settings webhook{.url = url, .secret = *secret};
    webhook.more = telegram::kinds_for_any_flow(**bot);
    note(in, **bot, "webhook_set", {{"outcome", "begun"}, {"url", url}});
    auto set_webhook = ask_telegram<void>(in, args, [&](telegram::bot_api& api) {
        return api.set_webhook(webhook);
    });
    note(in, **bot, "webhook_set", outcome_of(set_webhook, {{"url", url}}));
    if (!set_webhook) return fail(in, "set the webhook", set_webhook.error());
    in.out << url << '\n';
    return 0;
}

int info(context const& in, webhook_arguments const& args) {
    auto webhook = ask_telegram<telegram::webhook_info>(in, args, [](telegram::bot_api& api) {
        return api.get_webhook_info();
    });
    if (!webhook) return fail(in, "ask for the webhook", webhook.error());
    if (in.json) {
        in.out << base::json_text(boost::json::object{
                      {"url", webhook->url},
                      {"pending", webhook->pending},
                      {"last_error", webhook->last_error}})
               << '\n';
        return 0;
    }
    in.out << fmt::format(
        "url         {}\npending     {}\nlast error  {}\n",
        webhook->url.empty() ? "none: updates are polled" : webhook->url,
        webhook->pending,
        webhook->last_error.empty() ? "none" : webhook->last_error
    );
    return 0;
}

int remove_webhook(context const& in, webhook_arguments const& args) {
    auto const bot = chosen_bot(in, args);
    if (!bot) return fail(in, "delete the webhook", bot.error());
    note(in, **bot, "webhook_delete", {{"outcome", "begun"}});
    auto done =
        ask_telegram<void>(in, args, [](telegram::bot_api& api) { return api.delete_webhook(); });
    note(in, **bot, "webhook_delete", outcome_of(done, {}));
    if (!done) return fail(in, "delete the webhook", done.error());
    in.out << "deleted; waiting updates are kept\n";
    return 0;
}

} // namespace

namespace commands {

extern constinit command const webhook_set{
    .path = "bot webhook set",
    .summary = "Point the webhook at POSTRIDER_PUBLIC_URL",
    .example = "POSTRIDER_PUBLIC_URL=https://bot.example.org postrider bot webhook set",
    .prepare = with_options<declare_webhook, set_webhook>,
    .json = false};

extern constinit command const webhook_info{
    .path = "bot webhook info",
    .summary = "Show what Telegram knows of the webhook",
    .example = "postrider bot webhook info",
    .prepare = with_options<declare_webhook, info>};

extern constinit command const webhook_delete{
    .path = "bot webhook delete",
    .summary = "Remove the webhook: updates are then polled",
    .example = "postrider bot webhook delete --bot main",
    .prepare = with_options<declare_webhook, remove_webhook>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
