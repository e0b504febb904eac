#include "server/api/conversation_stream.hpp"

#include "net/sse.hpp"
#include "server/api/conversation_watch.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"

namespace postrider::api {

namespace {

// With the watch goes its place.
base::awaitable<void> tell_events(
    std::shared_ptr<conversation_watch> watch, std::shared_ptr<void>, net::body_writer& to
) {
    co_await watch->tell(to);
}

net::http_response stream_of(
    std::shared_ptr<conversation_watch> watch, std::shared_ptr<void> place
) {
    return net::sse_response([watch, place](net::body_writer& to) {
        return tell_events(watch, place, to);
    });
}

net::http_response not_an_id() {
    return invalid({"Last-Event-ID is not one that an event had"});
}

} // namespace

base::awaitable<net::http_response> watch_conversation(
    shared_services with, net::http_request request, caller from, storage::database& db
) {
    parameters query(request);
    auto last = query.text("after").value_or("");
    if (auto const header = request.headers.find("Last-Event-ID"); !header.empty()) last = header;
    auto const position =
        last.empty() ? std::optional<conversation_position>() : conversation_position_from(last);
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    if (!last.empty() && !position) co_return not_an_id();
    auto found = co_await look_up(with, std::string(request.param("id")), from.user);
    if (auto* missing = std::get_if<net::http_response>(&found)) co_return std::move(*missing);
    auto place = with->places.take(from.user);
    if (!place) co_return watch_places::all_taken();
    conversation_watch_services const services{db, with->nodes, with->live, with->bells};
    auto const executor = co_await base::asio::this_coro::executor;
    auto& of = std::get<storage::api_conversation>(found);
    auto watch = std::make_shared<conversation_watch>(services, std::move(of), position, executor);
    auto const looked = co_await watch->look();
    if (looked) co_return stream_of(std::move(watch), std::move(place));
    if (looked.error() == base::errc::not_found) co_return no_conversation();
    if (looked.error() == base::errc::invalid) co_return not_an_id();
    co_return problem_of(looked.error());
}

} // namespace postrider::api
