#include "server/telegram/business_routes.hpp"

#include "base/html.hpp"
#include "server/telegram/business.hpp"
#include "storage/stores/business.hpp"

namespace postrider::telegram {

base::awaitable<base::result<std::optional<business_route>>> find_business_route(
    storage::database& db, bot_settings const& bot, chat_id chat, base::duration deadline
) {
    std::optional<business_route> route;
    if (!agent::is_business(chat)) co_return route;
    auto way = co_await storage::find_business_way(db, bot.id, chat, deadline);
    if (!way) co_return way.error();
    if (!*way || !(*way)->may_reply || !serves_business(bot, (*way)->account))
        co_return base::error(
            base::errc::refused,
            "the business account is disconnected or not served, or gives no right to reply"
        );
    route = business_route{(*way)->connection, (*way)->chat};
    co_return route;
}

agent::message_content without_buttons(agent::message_content content) {
    for (auto const& row : content.buttons)
        for (auto const& button : row) {
            auto const label = button.url.empty() ? button.text : button.text + ": " + button.url;
            bool const is_html = content.markup == agent::text_markup::html;
            content.text += "\n- " + (is_html ? base::html_escaped(label) : label);
        }
    content.buttons.clear();
    return content;
}

} // namespace postrider::telegram
