#include "server/hooks/flow_answer.hpp"

#include "agent/flow/answer_headers.hpp"
#include "agent/flow/parameters.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <fmt/format.h>

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

void add_headers(net::http_response& response, base::json_reader const& object) {
    if (!object.is_object()) return;
    for (auto const& [name, value] : object.raw()->get_object())
        if (auto const* text = value.if_string();
            text && agent::flow::why_left_out(name, *text).empty())
            response.headers.add(std::string(name), std::string(*text));
}

// JSON that means the same, and in which a browser that takes it for HTML finds no tag.
std::string without_tags(std::string_view json_text) {
    std::string result;
    for (char const c : json_text)
        if (c == '<' || c == '>' || c == '&')
            result += fmt::format("\\u{:04x}", c);
        else
            result += c;
    return result;
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
        auto const* headers = from["headers"].raw();
        if (headers && agent::flow::says_html(*headers)) answer.body = without_tags(answer.body);
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
