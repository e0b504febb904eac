#include "server/api/conversation_stream.hpp"

#include "net/sse.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"

namespace postrider::api {

namespace {

// With the watch goes its place.
base::awaitable<void> stream_conversation(watch_stream line, net::body_writer& writer) {
    whole_stream stream(writer);
    co_await line.watch->tell(stream);
}

net::http_response not_an_id() {
    return invalid({"Last-Event-ID is not one that an event had"});
}

} // namespace

base::awaitable<std::variant<watch_stream, net::http_response>> begin_watch(
    shared_services with,
    storage::api_conversation conversation,
    std::optional<conversation_position> position,
    storage::database& db
) {
    auto place = with->places.take(conversation.user);
    if (!place) co_return watch_places::all_taken();
    conversation_watch_services const services{
        with->looks_at(db), with->nodes, with->live, with->listeners};
    auto const executor = co_await base::asio::this_coro::executor;
    auto watch =
        std::make_shared<conversation_watch>(services, std::move(conversation), position, executor);
    auto const looked = co_await watch->look();
    if (looked) co_return watch_stream{std::move(watch), std::move(place)};
    if (looked.error() == base::errc::not_found) co_return no_conversation();
    if (looked.error() == base::errc::invalid) co_return not_an_id();
    co_return problem_of(looked.error(), database_use::read);
}

net::http_response stream_of(watch_stream line) {
    return net::sse_response([line = std::move(line)](net::body_writer& writer) {
        return stream_conversation(line, writer);
    });
}

base::awaitable<net::http_response> watch_conversation(
    shared_services services, net::http_request request, caller caller, storage::database& db
) {
    parameters query(request);
    auto last = query.text("cursor").value_or("");
    if (auto const header = request.headers.find("Last-Event-ID"); !header.empty()) last = header;
    auto const position =
        last.empty() ? std::optional<conversation_position>() : conversation_position_from(last);
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    if (!last.empty() && !position) co_return not_an_id();
    auto conversation = co_await look_up(services, std::string(request.param("id")), caller.user);
    if (auto* missing = std::get_if<net::http_response>(&conversation))
        co_return std::move(*missing);
    auto of = std::get<storage::api_conversation>(std::move(conversation));
    auto stream = co_await begin_watch(services, std::move(of), position, db);
    if (auto* refused = std::get_if<net::http_response>(&stream)) co_return std::move(*refused);
    co_return stream_of(std::get<watch_stream>(std::move(stream)));
}

} // namespace postrider::api
