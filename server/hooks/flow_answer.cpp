#include "server/hooks/flow_answer.hpp"

#include "base/ascii.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "net/message_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::hooks {

namespace json = boost::json;

namespace {

// A step of the node http.respond is called "respond", below the node's id.
constexpr storage::statement look{"hooks.look", R"(
select t.i, j.*
from json_to_recordset($1::json) as t(i int, job_id bigint)
cross join lateral (
    select j.finished_at is not null, j.state,
           (select s.result from postrider.step s
            where s.job_id = j.job_id and s.outcome = 'done' and s.key like '%/respond' and s.result ? 'status'
            order by s.seq limit 1)
    from postrider.job j where j.job_id = postrider.answering_job(t.job_id) offset 0) j
)"};

// What a flow may say about its answer. Other names could speak for this whole server to a browser
// (Set-Cookie, Clear-Site-Data, Strict-Transport-Security, Alt-Svc), undo what is added below, or
// command the proxy in front (X-Accel-Redirect, X-Sendfile).
constexpr std::array<std::string_view, 15> answer_headers{
    "access-control-allow-origin",
    "access-control-expose-headers",
    "allow",
    "cache-control",
    "content-disposition",
    "content-language",
    "content-location",
    "content-type",
    "etag",
    "expires",
    "last-modified",
    "link",
    "location",
    "retry-after",
    "vary",
};
constexpr std::array<std::string_view, 9> commands{
    "x-accel-",
    "x-content-type-options",
    "x-forwarded-",
    "x-frame-options",
    "x-lighttpd-",
    "x-litespeed-",
    "x-reproxy-",
    "x-request-id",
    "x-sendfile"};

bool is_for_flows(std::string_view name) {
    auto const lower = base::to_lower(std::string(name));
    if (std::ranges::find(answer_headers, lower) != answer_headers.end()) return true;
    return lower.starts_with("x-") &&
           std::ranges::none_of(commands, [&](auto command) { return lower.starts_with(command); });
}

void add_headers(net::http_response& response, base::json_reader const& object) {
    if (!object.is_object()) return;
    for (auto const& [name, value] : object.raw()->get_object())
        if (auto const* text = value.if_string();
            text && is_for_flows(name) && net::fits_header(name, *text))
            response.headers.add(std::string(name), std::string(*text));
}

net::http_response without_answer(storage::row const& row, job_id execution) {
    if (row.text(2) == "completed")
        return net::http_response::json(
            200, fmt::format(R"({{"execution":{}}})", base::raw(execution))
        );
    if (row.text(2) == "cancelled")
        return net::http_response::problem(
            409, "cancelled", fmt::format("execution {} was cancelled", base::raw(execution))
        );
    return net::http_response::problem(
        500, "execution_failed", fmt::format("execution {}: {}", base::raw(execution), row.text(2))
    );
}

} // namespace

net::http_response to_response(json::value const& recorded) {
    base::json_reader const from{recorded};
    auto answer = net::http_response::empty(static_cast<int>(from["status"].int64_or(200)));
    add_headers(answer, from["headers"]);
    auto const body = from["body"];
    std::string_view type = "application/json";
    if (body.is_string()) {
        answer.body = body.string();
        type = "text/plain; charset=utf-8";
    } else if (body) {
        answer.body = base::json_text(*body.raw());
    }
    if (body && answer.headers.count("Content-Type") == 0)
        answer.headers.add("Content-Type", std::string(type));
    answer.headers.add("Content-Security-Policy", "sandbox");
    answer.headers.add("X-Content-Type-Options", "nosniff");
    return answer;
}

base::awaitable<std::optional<net::http_response>> await_answer(
    api::reply_waiters& waiters, job_id execution, base::duration patience
) {
    auto read = [execution](storage::row const& seen) -> std::optional<net::http_response> {
        if (!seen.null(3)) return to_response(seen.json(3));
        if (seen.boolean(1)) return without_answer(seen, execution);
        return std::nullopt;
    };
    return waiters.wait(look, execution, std::move(read), patience);
}

} // namespace postrider::hooks
