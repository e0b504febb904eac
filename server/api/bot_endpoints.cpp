// How bots are set up at Telegram: what is wrong with one, and its webhook.
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/bot_setup.hpp"
#include "storage/stores/audit.hpp"

namespace postrider::api {

namespace {

using base::errc;

net::http_response no_such_bot(std::string const& name) {
    return net::http_response::problem(
        404, "not_found", "the node that answers runs no bot " + name
    );
}

net::http_response telegrams_refusal(base::error const& reason) {
    if (reason == errc::invalid)
        return net::http_response::problem(409, "telegram_refused", reason.detail);
    if (reason == errc::unavailable || reason == errc::timeout)
        return net::http_response::problem(
            503, "unavailable", "Telegram does not answer: " + base::to_string(reason)
        );
    if (reason == errc::rate_limited) {
        auto answer = net::http_response::problem(503, "unavailable", "Telegram asks to wait");
        auto const pause = reason.retry_after.value_or(std::chrono::seconds{1});
        auto const seconds = std::chrono::ceil<std::chrono::seconds>(pause).count();
        answer.headers.add("Retry-After", std::to_string(seconds));
        return answer;
    }
    return net::http_response::problem(409, "telegram_refused", base::to_string(reason));
}

// The bot that the path names, or why the request is refused.
std::variant<std::string, net::http_response> named_bot(
    server::bot_setup const& bots, net::http_request const& request
) {
    parameters query(request);
    members body(request);
    auto name = path_text(request, "bot", query);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    if (!bots.knows(name)) return no_such_bot(name);
    return name;
}

base::awaitable<net::http_response> check_bot(server::bot_setup& bots, call incoming) {
    auto named = named_bot(bots, incoming.request);
    if (auto* refused = std::get_if<net::http_response>(&named)) co_return std::move(*refused);
    auto const name = std::get<std::string>(named);
    auto const check = co_await bots.check(name);
    co_return json_answer(200, server::to_json(name, check));
}

template<class T>
boost::json::object outcome_of(base::result<T> const& done) {
    if (done) return {{"outcome", "done"}};
    return {{"outcome", "failed"}, {"error", base::to_string(done.error().code)}};
}

struct webhook_change {
    std::string kind; // of the audit
    std::string bot;
};

// Before Telegram is asked, and after it has answered: what is not in the audit is not done, and a crash in
// between leaves the row that says what was begun.
base::awaitable<std::optional<net::http_response>> note_change(
    call const& incoming, webhook_change change, boost::json::object detail
) {
    auto note = [actor = actor_of(incoming.by),
                 change = std::move(change),
                 detail = std::move(detail)](storage::transaction& tx) {
        storage::act_as(tx, actor);
        storage::audit_operation(tx, change.kind, {}, "bot:" + change.bot, detail);
    };
    std::function<void(storage::transaction&)> kept = std::move(note);
    auto const noted =
        co_await incoming.db.run(incoming.name, std::move(kept), database_waits.change);
    if (noted) co_return std::nullopt;
    co_return problem_of(noted.error(), database_use::change);
}

base::awaitable<net::http_response> set_webhook(server::bot_setup& bots, call incoming) {
    auto named = named_bot(bots, incoming.request);
    if (auto* refused = std::get_if<net::http_response>(&named)) co_return std::move(*refused);
    auto const name = std::get<std::string>(named);
    webhook_change const change{"webhook_set", name};
    boost::json::object intent{{"outcome", "begun"}};
    auto failure = co_await note_change(incoming, change, std::move(intent));
    if (failure) co_return std::move(*failure);
    auto const url = co_await bots.set_webhook(name);
    auto detail = outcome_of(url);
    if (url) detail["url"] = *url;
    failure = co_await note_change(incoming, change, std::move(detail));
    if (!url) co_return telegrams_refusal(url.error());
    if (failure) co_return std::move(*failure);
    co_return json_answer(200, {{"bot", name}, {"url", *url}});
}

base::awaitable<net::http_response> delete_webhook(server::bot_setup& bots, call incoming) {
    auto named = named_bot(bots, incoming.request);
    if (auto* refused = std::get_if<net::http_response>(&named)) co_return std::move(*refused);
    auto const name = std::get<std::string>(named);
    webhook_change const change{"webhook_delete", name};
    boost::json::object intent{{"outcome", "begun"}};
    auto failure = co_await note_change(incoming, change, std::move(intent));
    if (failure) co_return std::move(*failure);
    auto const deleted = co_await bots.delete_webhook(name);
    auto detail = outcome_of(deleted);
    failure = co_await note_change(incoming, change, std::move(detail));
    if (!deleted) co_return telegrams_refusal(deleted.error());
    if (failure) co_return std::move(*failure);
    co_return net::http_response::empty(204);
}

} // namespace

std::vector<endpoint> bot_endpoints(resources const& resources) {
    if (!resources.installed || !resources.installed->bot_setup) return {};
    auto& bots = *resources.installed->bot_setup;
    endpoint check{"POST", "/api/v1/bots/{bot}/check", [&bots](call incoming) {
                       return check_bot(bots, std::move(incoming));
                   }};
    check.logs_itself = true; // it changes nothing
    endpoint set{"PUT", "/api/v1/bots/{bot}/webhook", [&bots](call incoming) {
                     return set_webhook(bots, std::move(incoming));
                 }};
    endpoint remove{"DELETE", "/api/v1/bots/{bot}/webhook", [&bots](call incoming) {
                        return delete_webhook(bots, std::move(incoming));
                    }};
    return {std::move(check), std::move(set), std::move(remove)};
}

} // namespace postrider::api
