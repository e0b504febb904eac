// Every key there is. Order = order in `check` and in the README.
#include "agent/folded_text.hpp"
#include "agent/models/provider.hpp"
#include "server/start/budget_settings.hpp"
#include "server/start/config.hpp"
#include "server/start/mcp_settings.hpp"
#include "server/start/model_settings.hpp"
#include "server/start/telemetry_settings.hpp"
#include "server/start/tool_settings.hpp"

#include <array>

namespace postrider::server {

namespace {

using base::setting;
using agent::operator""_folded; // NOLINT(misc-unused-using-decls): clang-tidy passes over literals
using enum base::setting_type;

constexpr std::array rows_before_models{
    setting{
        "data",
        "POSTRIDER_DATA",
        text,
        "var",
        "",
        "folder for the private cluster and the made-up secrets"},
    setting{
        "database.url",
        "DATABASE_URL",
        url,
        "",
        "",
        "libpq URI, several hosts allowed; empty = a private cluster in the data folder"},
    setting{
        "database.prepared",
        "POSTRIDER_DATABASE_PREPARED",
        text,
        "true",
        "true|false",
        "`false` behind a transaction-pooling proxy such as pgbouncer before 1.21"},
    setting{
        "database.listen",
        "POSTRIDER_DATABASE_LISTEN",
        text,
        "true",
        "true|false",
        R"(
            nodes tell each other of work by LISTEN/NOTIFY; `false` behind a transaction-pooling
            proxy
        )"_folded},

    setting{
        "server.listen",
        "POSTRIDER_LISTEN",
        text,
        "127.0.0.1:8080",
        "",
        "`host:port`, `[::1]:port` or `unix:/path`"},
    setting{
        "server.public_url",
        "POSTRIDER_PUBLIC_URL",
        url,
        "",
        "",
        R"(
            where Telegram reaches this server; the webhook is then set at start; empty = long
            polling
        )"_folded},
    setting{
        "server.trusted_proxies",
        "POSTRIDER_TRUSTED_PROXIES",
        words,
        "",
        "",
        "CIDRs (or `unix`) whose `X-Forwarded-For` counts; empty = nobody's"},
    setting{
        "server.hosts",
        "POSTRIDER_HOSTS",
        words,
        "",
        "",
        R"(
            names under which programs reach `/mcp`, beside those of the own network and the
            public URL's: `mcp.example.org`, `*.example.org`
        )"_folded},
    setting{
        "server.admin_token",
        "POSTRIDER_ADMIN_TOKEN",
        secret,
        "",
        "",
        R"(
            bearer token of the owner; made when absent, kept in `data`, and printed once, to a
            terminal only
        )"_folded},

    setting{
        "log.format",
        "POSTRIDER_LOG_FORMAT",
        text,
        "logfmt",
        "logfmt|json",
        "one line per event on stderr"},
    setting{
        "log.level",
        "POSTRIDER_LOG_LEVEL",
        text,
        "info",
        "debug|info|warn|error",
        R"(
            the lowest level that is written; unless it is set, `warn` in demo mode and for
            commands other than `serve`
        )"_folded},

    setting{
        "bots.*.bot_token",
        "TELEGRAM_BOT_TOKEN",
        secret,
        "",
        "",
        "from @BotFather; no bot at all = demo mode with a simulated Telegram",
        "main"},
    setting{
        "bots.*.webhook_secret",
        "TELEGRAM_WEBHOOK_SECRET",
        secret,
        "",
        "",
        "what Telegram sends with every update; made and kept when absent",
        "main"},
    setting{
        "bots.*.api_base",
        "TELEGRAM_API_BASE",
        url,
        telegrams_own,
        "",
        "for a Bot API server of one's own",
        "main"},
    setting{
        "bots.*.allowed_users",
        "POSTRIDER_ALLOWED_USERS",
        numbers,
        "",
        "",
        "user ids that may write to the bot in private, and command it in groups; empty = nobody",
        "main"},
    setting{
        "bots.*.allowed_chats",
        "POSTRIDER_ALLOWED_CHATS",
        numbers,
        "",
        "",
        "group ids in which the bot answers; empty = none",
        "main"},
    setting{
        "bots.*.owners",
        "POSTRIDER_OWNERS",
        numbers,
        "",
        "",
        "user ids that are trusted; allowed everywhere",
        "main"},
    setting{
        "bots.*.agent",
        "",
        text,
        "assistant",
        "",
        "the NAME of the `[agents.NAME]` that answers",
        "main"},
    setting{
        "bots.*.sends_per_second",
        "",
        integer,
        "0",
        "0..1000",
        "messages, by all processes together; 0 = no limit of ours",
        "main"},
    setting{
        "bots.*.mailbox",
        "",
        text,
        "queue",
        "queue|coalesce|interrupt",
        R"(
            what a message does while another is not answered: `queue` = a turn each, `coalesce` =
            one turn answers all that wait, `interrupt` = it ends the running turn
        )"_folded,
        "main"},
    setting{
        "bots.*.debounce",
        "",
        span,
        "0s",
        "0s..1h",
        "with `coalesce`: so long a chat must be quiet before its turn begins",
        "main"},
    setting{
        "bots.*.timezone",
        "",
        text,
        "",
        "",
        R"(
            by whose wall clock times and reminders are meant of people who have told none of their own:
            `Europe/Berlin`; empty = as the tools say
        )"_folded,
        "main"},
};

constexpr std::array rows_behind_models{
    setting{
        "secrets.*.value",
        "POSTRIDER_SECRET_*",
        secret,
        "",
        "",
        "a secret that flows name and never hold, say a webhook's; or `value_file`"},

    setting{
        "approvals.timeout",
        "",
        span,
        "10min",
        "10s..7d",
        "so long a call of a tool waits for a person's approval; then it is not run"},

    setting{
        "audit.content",
        "POSTRIDER_AUDIT_CONTENT",
        text,
        "hash",
        "hash|full",
        "what the audit keeps of what models and tools were asked: its SHA-256 and size, or all of "
        "it, beside the chain"},

    setting{
        "engine.slots",
        "POSTRIDER_SLOTS",
        integer,
        "256",
        "1..10000",
        "turns in flight on this node"},
    setting{
        "engine.drain_timeout",
        "POSTRIDER_DRAIN_TIMEOUT",
        span,
        "20s",
        "0s..10min",
        "how long a stop waits for turns in flight; the rest go on after the next start"},
    setting{
        "retention.inbox",
        "POSTRIDER_KEEP_INBOX",
        span,
        "48h",
        "24h..10000h",
        "how long update ids are known, against redelivery (Telegram repeats for 24 h)"},
    setting{
        "retention.rejected",
        "POSTRIDER_KEEP_REJECTED",
        span,
        "720h",
        "1h..100000h",
        "how long rejected updates are kept with their bytes"},
    setting{
        "retention.jobs",
        "POSTRIDER_KEEP_JOBS",
        span,
        "90d",
        "1d..36500d",
        "how long jobs that are over are kept at least, with their steps and effects"},
    setting{
        "retention.messages",
        "POSTRIDER_KEEP_MESSAGES",
        span,
        "0s",
        "0s..36500d",
        "how long what was said is kept; `0s` = for ever"},
    setting{
        "faults",
        "POSTRIDER_FAULTS",
        text,
        "",
        "",
        R"(
            for tests: `point:kill`, `point:stop` or `point:error`, with `:hit` behind it if wanted;
            comma separated
        )"_folded},
};

std::vector<setting> make_table() {
    std::vector<setting> rows(rows_before_models.begin(), rows_before_models.end());
    auto const add = [&rows](auto const& more) {
        rows.insert(rows.end(), more.begin(), more.end());
    };
    for (auto const* provider : agent::providers()) add(provider->settings);
    add(model_rows());
    add(mcp_rows());
    add(tool_rows());
    add(budget_rows());
    add(telemetry_rows());
    add(rows_behind_models);
    return rows;
}

} // namespace

std::span<base::setting const> settings_table() {
    static std::vector<setting> const table = make_table();
    return table;
}

} // namespace postrider::server
