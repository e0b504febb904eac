// Every key there is. Order = order in `check` and in docs/configuration.md.
#include "agent/describe/folded_text.hpp"
#include "agent/models/provider.hpp"
#include "server/start/budget_settings.hpp"
#include "server/start/config.hpp"
#include "server/start/credential_settings.hpp"
#include "server/start/embedding_settings.hpp"
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
        R"(
            Folder for everything outside Postgres: the private cluster, generated secrets,
            the chat history.
        )"_folded},
    setting{
        "database.url",
        "DATABASE_URL",
        url,
        "",
        "",
        R"(
            libpq URI; several hosts are allowed. Empty: a private cluster in the data folder.
        )"_folded},
    setting{
        "database.prepared",
        "POSTRIDER_DATABASE_PREPARED",
        text,
        "true",
        "true|false",
        R"(
            Whether to use prepared statements. Use `false` behind a transaction-pooling
            proxy, such as pgbouncer before 1.21.
        )"_folded},
    setting{
        "database.listen",
        "POSTRIDER_DATABASE_LISTEN",
        text,
        "true",
        "true|false",
        R"(
            Whether processes notify each other of new work by LISTEN/NOTIFY. Use `false`
            behind a transaction-pooling proxy.
        )"_folded},

    setting{
        "server.listen",
        "POSTRIDER_LISTEN",
        text,
        "127.0.0.1:8080",
        "",
        "Address of the HTTP server: `host:port`, `[::1]:port` or `unix:/path`."},
    setting{
        "server.public_url",
        "POSTRIDER_PUBLIC_URL",
        url,
        "",
        "",
        R"(
            Public URL of this server. At start, postrider sets Telegram's webhook to it.
            Empty: long polling.
        )"_folded},
    setting{
        "server.trusted_proxies",
        "POSTRIDER_TRUSTED_PROXIES",
        words,
        "",
        "",
        R"(
            Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted: CIDRs,
            or `unix`. Empty: none.
        )"_folded},
    setting{
        "server.hosts",
        "POSTRIDER_HOSTS",
        words,
        "",
        "",
        R"(
            Additional host names for `/mcp` and the console: `mcp.example.org`,
            `*.example.org`. IP addresses, `localhost` and the public URL's host are always accepted.
        )"_folded},
    setting{
        "server.admin_token",
        "POSTRIDER_ADMIN_TOKEN",
        secret,
        "",
        "",
        R"(
            Bearer token of the owner. Empty: generated and stored in `data`; printed once, to
            a terminal only.
        )"_folded},

    setting{
        "log.format",
        "POSTRIDER_LOG_FORMAT",
        text,
        "logfmt",
        "logfmt|json",
        "Format of the log on stderr: one line per event."},
    setting{
        "log.level",
        "POSTRIDER_LOG_LEVEL",
        text,
        "info",
        "debug|info|warn|error",
        R"(
            Lowest level that is logged. In demo mode, and for commands other than `serve`,
            the default is `warn`.
        )"_folded},
};

constexpr std::array rows_behind_models{
    setting{
        "secrets.*.value",
        "POSTRIDER_SECRET_*",
        secret,
        "",
        "",
        "Secret that flows use by name, such as a webhook's."},

    setting{
        "approvals.timeout",
        "",
        span,
        "10min",
        "10s..7d",
        R"(
            How long a tool call waits for approval. Without approval, the call is not run.
        )"_folded},

    setting{
        "approvals.approvers",
        "",
        numbers,
        "",
        "",
        R"(
            Ids of users who approve calls in their private chat when a turn has no chat, such as
            a scheduled flow. They need access to a bot. Empty: the owners of the bots.
        )"_folded},

    setting{
        "audit.content",
        "POSTRIDER_AUDIT_CONTENT",
        text,
        "hash",
        "hash|full",
        R"(
            Audit record of model and tool inputs. `hash`: SHA-256 and size. `full`: also the
            content, stored outside the hash chain.
        )"_folded},

    setting{
        "audit.key",
        "POSTRIDER_AUDIT_KEY",
        secret,
        "",
        "",
        R"(
            Links the audit's rows by HMAC-SHA-256 instead of SHA-256, so computing a chain anew
            needs the key. 32 to 64 characters, the same on all nodes and for every command, `postrider migrate` included.
        )"_folded},

    setting{
        "code.enabled",
        "POSTRIDER_CODE_ENABLED",
        text,
        "false",
        "true|false",
        R"(
            Whether *Code* nodes of flows run. Their code has no network, files or other
            processes. This needs Landlock, which Linux has since 5.13.
        )"_folded},
    setting{
        "code.node",
        "",
        text,
        "node",
        "",
        R"(
            Program for JavaScript: a path below /usr, or a name in /usr/local/bin, /usr/bin or /bin.
        )"_folded},
    setting{"code.python", "", text, "python3", "", "Program for Python, in the same way."},

    setting{
        "transcription.base_url",
        "POSTRIDER_TRANSCRIPTION_URL",
        url,
        "",
        "",
        R"(
            Server that writes voice messages down: its address up to `/audio/transcriptions`, for
            example `https://api.openai.com/v1`, or a Whisper server of your own. Empty: voice
            messages are not understood.
        )"_folded},
    setting{
        "transcription.api_key",
        "POSTRIDER_TRANSCRIPTION_API_KEY",
        secret,
        "",
        "",
        "Key for that server."},
    setting{"transcription.model", "", text, "whisper-1", "", "Model of that server."},
    setting{
        "transcription.longest",
        "",
        span,
        "10min",
        "1s..2h",
        "Longer recordings are not written down."},
    setting{
        "transcription.price_per_minute",
        "",
        integer,
        "0",
        "0..100000000",
        R"(
            Price of a minute of speech in millionths of a US dollar: `6000` is 0.6 US cents. 0: it
            costs nothing.
        )"_folded},

    setting{
        "engine.slots",
        "POSTRIDER_SLOTS",
        integer,
        "256",
        "1..10000",
        "Maximum number of turns in progress on this node."},
    setting{
        "engine.drain_timeout",
        "POSTRIDER_DRAIN_TIMEOUT",
        span,
        "20s",
        "0s..10min",
        R"(
            How long a shutdown waits for turns in progress. Unfinished turns resume after the
            next start.
        )"_folded},
    setting{
        "retention.inbox",
        "POSTRIDER_KEEP_INBOX",
        span,
        "48h",
        "24h..10000h",
        R"(
            How long update ids are stored to detect redelivery. Telegram redelivers for 24
            hours.
        )"_folded},
    setting{
        "retention.rejected",
        "POSTRIDER_KEEP_REJECTED",
        span,
        "720h",
        "1h..100000h",
        "How long rejected updates are stored with their content."},
    setting{
        "retention.jobs",
        "POSTRIDER_KEEP_JOBS",
        span,
        "90d",
        "1d..36500d",
        "Minimum time that finished jobs are stored, with their steps and effects."},
    setting{
        "retention.messages",
        "POSTRIDER_KEEP_MESSAGES",
        span,
        "0s",
        "0s..36500d",
        "How long messages and their authors are stored. `0s`: indefinitely."},
    setting{
        "faults",
        "POSTRIDER_FAULTS",
        text,
        "",
        "",
        R"(
            For tests: faults to inject, comma-separated: `point:kill`, `point:stop` or
            `point:error`. `:N` after one selects the Nth hit.
        )"_folded},
};

std::vector<setting> make_table() {
    std::vector<setting> rows(rows_before_models.begin(), rows_before_models.end());
    auto const add = [&rows](auto const& more) {
        rows.insert(rows.end(), more.begin(), more.end());
    };
    add(bot_rows());
    for (auto const* provider : agent::providers()) add(provider->settings);
    add(model_rows());
    add(embedding_rows());
    add(credential_rows());
    add(mcp_rows());
    add(tool_rows());
    add(chatbot_rows());
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
