#pragma once
// POST /telegram/{bot}: Telegram's side of the intake. What its sender does with our answers fixes
// them:
//
//   200, empty   stored (a body with a "method" would be carried out as a call)
//   400          no JSON, or no integer update_id: not from Telegram
//   401, 404     wrong or missing secret, unknown bot: decided before the body is read, nothing is
//   stored 503          not stored, with Retry-After, which the sender honours; its chat waits,
//   others do not
//
// Any other status would put the update back, too; 410 would remove the webhook, so it is never
// said. Source: tdlib/telegram-bot-api, WebhookActor.cpp (commit 01a3679).
#include "base/random.hpp"
#include "net/router.hpp"
#include "server/telegram/bot.hpp"
#include "server/telegram/intake.hpp"

namespace postrider::telegram {

inline constexpr std::string_view webhook_pattern = "/telegram/{bot}";
inline constexpr std::string_view secret_header = "X-Telegram-Bot-Api-Secret-Token";
inline constexpr std::size_t webhook_body_limit = 4u << 20;

// Everything given must outlive the route.
net::route webhook_route(bot_list bots, intake& inbox, base::random_source& random);

} // namespace postrider::telegram
