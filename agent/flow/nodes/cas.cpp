#include "agent/flow/nodes/cas.hpp"

#include "agent/flow/parts/services.hpp"
#include "base/json/json.hpp"
#include "net/guarded_client.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

using base::errc;

constexpr std::size_t most_of_an_answer = 1u << 20; // it cites messages

} // namespace

base::awaitable<base::result<bool>> ask_cas(
    node_services const& services, std::string url, user_id user, base::duration deadline
) {
    if (!services.web) co_return base::error(errc::unavailable, "this process reaches no web");
    net::web_request request;
    request.url = std::move(url);
    request.url += request.url.find('?') == request.url.npos ? '?' : '&';
    request.url += "user_id=" + base::to_string(user);
    request.headers.add("User-Agent", "postrider");
    request.headers.add("Accept", "application/json");
    request.answer_limit = most_of_an_answer;
    request.deadline = deadline;
    auto const reached = co_await services.web->fetch(std::move(request));
    if (!reached) co_return reached.error();
    auto const& answer = reached->answer;
    if (answer.status != 200)
        co_return base::error(errc::unavailable, fmt::format("CAS answered {}", answer.status));
    auto const body = base::parse_json(answer.body);
    if (!body) co_return base::error(errc::invalid, "the answer of CAS is no JSON");
    base::json_reader const root{*body};
    bool const is_listed = root["ok"].boolean();
    if (root.failed()) co_return base::error(errc::invalid, "the answer of CAS says nothing");
    co_return is_listed;
}

} // namespace postrider::agent::flow
