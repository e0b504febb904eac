#pragma once
// POST /telegram/{bot}: Telegram's side of the intake. Telegram's sender decides by our status:
//
// - 200, empty: stored. Telegram would carry out a body with a "method" as a call.
// - 400: no JSON, or no integer update_id: not from Telegram.
// - 401, 404: wrong or missing secret, unknown bot. Decided before the body is read; nothing is
//   stored. A wrong secret is counted, and logged at that pace (telegram.webhook_refused).
// - 503: not stored. The sender honours Retry-After; only this chat waits.
//
// Any other status makes Telegram repeat the update, too. 410 removes the webhook, so it is never
// sent. Source: tdlib/telegram-bot-api, WebhookActor.cpp (commit 01a3679).
#include "base/random.hpp"
#include "base/report_pace.hpp"
#include "net/router.hpp"
#include "server/telegram/bot.hpp"
#include "server/telegram/intake.hpp"

namespace postrider::telegram {

inline constexpr std::string_view webhook_pattern = "/telegram/{bot}";
inline constexpr std::string_view secret_header = "X-Telegram-Bot-Api-Secret-Token";
inline constexpr std::size_t webhook_body_limit = 4u << 20;

// Everything given must outlive the route.
net::route webhook_route(
    bot_list bots, intake& inbox, base::random_source& random, base::report_paces& refusals
);

} // namespace postrider::telegram
