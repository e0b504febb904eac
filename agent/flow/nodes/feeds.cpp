#include "agent/flow/nodes/feeds.hpp"

#include "agent/flow/parts/services.hpp"
#include "agent/formats/charset.hpp"
#include "net/guarded_client.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

using namespace std::chrono_literals;
using base::errc;

constexpr base::duration feed_deadline = 20s;

base::error feed_failure(net::http_answer const& answer, base::sys_time now) {
    base::error failure(errc::refused, fmt::format("the feed's server answered {}", answer.status));
    if (answer.status == 429) failure.code = errc::rate_limited;
    if (answer.status >= 500) failure.code = errc::unavailable;
    failure.retry_after = net::parse_retry_after(answer.headers.find("retry-after"), now);
    return failure;
}

// XML in another encoding than UTF-8 says so in its declaration, if the server does not.
std::string charset_of_feed(net::http_answer const& answer) {
    using namespace formats;
    if (auto mark = charset_of_mark(answer.body); !mark.empty()) return mark;
    if (auto named = charset_of(answer.headers.find("content-type")); !named.empty()) return named;
    return charset_of_declaration(answer.body);
}

} // namespace

base::awaitable<base::result<std::vector<formats::feed_entry>>> fetch_feed(
    node_services const& services, std::string url
) {
    if (!services.web) co_return base::error(errc::unavailable, "this process reaches no web");
    net::web_request request;
    request.url = std::move(url);
    request.deadline = feed_deadline;
    request.headers.add("User-Agent", "postrider");
    request.headers.add(
        "Accept", "application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5"
    );
    auto reached = co_await services.web->fetch(std::move(request));
    // What only reads may be asked again, whatever became of it.
    if (!reached && reached.error() == errc::ambiguous)
        co_return base::error(errc::unavailable, "the feed's server ended the connection");
    if (!reached) co_return reached.error();
    auto const& answer = reached->answer;
    if (answer.status != 200) co_return feed_failure(answer, services.clock.now());
    auto const charset = charset_of_feed(answer);
    formats::utf8_conversion conversion(std::move(reached->answer.body), charset);
    while (conversion.step()) {
    }
    co_return formats::read_feed(conversion.take());
}

boost::json::object to_json(formats::feed_entry const& entry) {
    return {
        {"id", entry.id},
        {"title", entry.title},
        {"link", entry.link},
        {"published", entry.published},
        {"summary", entry.summary},
    };
}

base::retry_policy feed_tries(node_run const& run) {
    return run.retry(
        {.limit = 2,
         .delay = 2s,
         .backoff = base::backoff_shape::exponential,
         .timeout = std::chrono::milliseconds{25s}}
    );
}

} // namespace postrider::agent::flow
