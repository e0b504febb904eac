#include "server/telegram/webhook.hpp"

#include "base/log.hpp"

#include <memory>

namespace postrider::telegram {

namespace {

using base::errc;
using net::http_response;

class webhook_receiver {
public:
    webhook_receiver(bot_list bots, intake& inbox, base::random_source& random)
        : bots_(std::move(bots)),
          inbox_(inbox),
          random_(random) {}

    net::gate_result gate(net::http_request const& head) const {
        auto const* to = find(head.param("bot"));
        if (!to) return http_response::problem(404, "not_found", "");
        bool const once = head.headers.count(secret_header) == 1;
        if (!once || !to->webhook_secret.matches(head.headers.find(secret_header)))
            return http_response::problem(401, "unauthorized", "");
        return net::admitted{.proven = true};
    }

    base::awaitable<http_response> handle(net::http_request request) {
        auto const* to = find(request.param("bot"));
        if (request.truncated)
            co_return answer(co_await inbox_.accept_cut(to->settings, std::move(request.body)));
        co_return answer(co_await inbox_.accept(to->settings, std::move(request.body)));
    }

private:
    bot const* find(std::string_view name) const {
        for (auto const* bot : bots_)
            if (bot->settings.name == name) return bot;
        return nullptr;
    }

    http_response answer(base::result<accepted> const& stored) {
        if (stored) return http_response::empty(200);
        if (stored.error() == errc::invalid)
            return http_response::problem(400, "invalid", "the body is not an update");
        base::log::debug("telegram.update_put_off", {{"error", stored.error()}});
        auto later = http_response::problem(503, base::to_string(stored.error().code), "");
        // Spread, or all the chats that were put off come back in the same second.
        auto const seconds = 1 + static_cast<int>(base::uniform(random_) * 5);
        later.headers.add("Retry-After", std::to_string(seconds));
        return later;
    }

    bot_list bots_;
    intake& inbox_;
    base::random_source& random_;
};

} // namespace

net::route webhook_route(bot_list bots, intake& inbox, base::random_source& random) {
    auto receiver = std::make_shared<webhook_receiver>(std::move(bots), inbox, random);
    net::route route;
    route.method = "POST";
    route.pattern = webhook_pattern;
    route.body_limit = webhook_body_limit;
    route.when_oversize = net::oversize::truncate;
    route.gate = [receiver](net::http_request const& head) { return receiver->gate(head); };
    route.handle = [receiver](net::http_request request) {
        return receiver->handle(std::move(request));
    };
    return route;
}

} // namespace postrider::telegram
