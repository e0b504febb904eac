#include "server/telegram/webhook.hpp"

#include "base/log.hpp"

#include <memory>

namespace postrider::telegram {

namespace {

using base::errc;
using net::http_response;

class webhook_receiver {
public:
    webhook_receiver(
        bot_list bots, intake& inbox, base::random_source& random, base::report_paces& refusals
    )
        : bots_(std::move(bots)),
          inbox_(inbox),
          random_(random),
          refusals_(refusals) {}

    net::gate_result gate(net::http_request const& head) {
        auto const* to = find(head.param("bot"));
        if (!to) return http_response::problem(404, "not_found", "");
        auto const count = head.headers.count(secret_header);
        if (count != 1 || !to->webhook_secret.matches(head.headers.find(secret_header)))
            return refuse(*to, head, count == 0 ? "no secret" : "a wrong secret");
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

    http_response refuse(
        bot const& receiver, net::http_request const& head, std::string_view reason
    ) {
        if (auto const times =
                refusals_.note(receiver.settings.name, base::system_clock().steady()))
            base::log::warn(
                "telegram.webhook_refused",
                {{"bot", receiver.settings.name},
                 {"remote", head.remote},
                 {"reason", reason},
                 {"times", *times}}
            );
        return http_response::problem(401, "unauthorized", "");
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
    base::report_paces& refusals_;
};

} // namespace

net::route webhook_route(
    bot_list bots, intake& inbox, base::random_source& random, base::report_paces& refusals
) {
    auto receiver = std::make_shared<webhook_receiver>(std::move(bots), inbox, random, refusals);
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
