// Every key there is. Order = order in `check` and in the README.
#include "server/start/config.hpp"

#include <array>

namespace postrider::server {

namespace {

using base::setting;
using enum base::setting_type;

constexpr std::array table{
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
        "nodes tell each other of work by LISTEN/NOTIFY; `false` behind a transaction-pooling "
        "proxy"},

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
        "where Telegram reaches this server; the webhook is then set at start; empty = long "
        "polling"},
    setting{
        "server.trusted_proxies",
        "POSTRIDER_TRUSTED_PROXIES",
        words,
        "",
        "",
        "CIDRs (or `unix`) whose `X-Forwarded-For` counts; empty = nobody's"},
    setting{
        "server.admin_token",
        "POSTRIDER_ADMIN_TOKEN",
        secret,
        "",
        "",
        "bearer token of the owner; made and printed once when absent"},

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
        "the lowest level that is written"},

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
        "user ids that may write to the bot in private; empty = nobody",
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
        "what a message does while another is not answered: `queue` = a turn each, `coalesce` = "
        "one "
        "turn answers all that wait, `interrupt` = it ends the running turn",
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
        "anthropic.api_key",
        "ANTHROPIC_API_KEY",
        secret,
        "",
        "",
        "makes Anthropic the default provider"},
    setting{
        "anthropic.model",
        "ANTHROPIC_MODEL",
        text,
        "claude-haiku-4-5",
        "",
        "model of the provider `anthropic` where a model names none"},
    setting{
        "anthropic.base_url",
        "ANTHROPIC_BASE_URL",
        url,
        "https://api.anthropic.com",
        "",
        "without `/v1`"},
    setting{
        "openai.api_key",
        "OPENAI_API_KEY",
        secret,
        "",
        "",
        "makes OpenAI the default provider when Anthropic has no key"},
    setting{
        "openai.model",
        "OPENAI_MODEL",
        text,
        "gpt-4o-mini",
        "",
        "model of the provider `openai` where a model names none"},
    setting{
        "openai.base_url",
        "OPENAI_BASE_URL",
        url,
        "https://api.openai.com/v1",
        "",
        "with `/v1`; a compatible server needs no key"},
    setting{
        "openai.api",
        "OPENAI_API",
        text,
        "responses",
        "responses|chat",
        "`chat` for compatible servers (Ollama, llama.cpp, vLLM)"},

    setting{
        "models.*.provider",
        "",
        text,
        "",
        "anthropic|openai|rules",
        "who serves; `models.default` is chosen by the keys present when it is not written"},
    setting{
        "models.*.model", "", text, "", "", "what is asked; empty = the provider's model above"},
    setting{"models.*.timeout", "", span, "60s", "1s..10min", "of one call"},
    setting{"models.*.max_tokens", "", integer, "8192", "1..200000", "of one answer"},
    setting{"models.*.base_url", "", url, "", "", "empty = the provider's above"},
    setting{"models.*.api", "", text, "", "responses|chat", "empty = `openai.api`"},
    setting{
        "models.*.api_key", "", secret, "", "", "empty = the provider's above; or `api_key_file`"},
    setting{
        "models.*.requests_per_minute",
        "",
        integer,
        "0",
        "0..1000000",
        "calls, by all processes together; 0 = no limit of ours"},
    setting{
        "models.*.input_price",
        "",
        integer,
        "0",
        "0..100000000",
        "cents for a million tokens, for the cost of executions; 0 = not known"},
    setting{"models.*.output_price", "", integer, "0", "0..100000000", "likewise"},

    setting{
        "agents.*.model", "", text, "default", "", "the NAME of a `[models.NAME]`", "assistant"},
    setting{
        "agents.*.history",
        "",
        integer,
        "20",
        "1..1000",
        "recent messages in the context",
        "assistant"},
    setting{
        "agents.*.max_tool_calls",
        "",
        integer,
        "5",
        "0..100",
        "tool calls in one turn",
        "assistant"},
    setting{
        "agents.*.persona",
        "",
        text,
        "",
        "",
        "role and personality in the system prompt; empty = the built-in one",
        "assistant"},

    setting{
        "secrets.*.value",
        "POSTRIDER_SECRET_*",
        secret,
        "",
        "",
        "a secret that flows name and never hold, say a webhook's; or `value_file`"},

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
        "for tests: `point:kill|stop|error[:hit]`, comma separated"},
};

} // namespace

std::span<base::setting const> settings_table() {
    return table;
}

} // namespace postrider::server
