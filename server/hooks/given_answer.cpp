#include "server/hooks/given_answer.hpp"

#include "base/json.hpp"
#include "net/message_head.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace postrider::hooks {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr auto look_deadline = 5s;
constexpr base::duration first_pause = 20ms;
constexpr base::duration longest_pause = 400ms;

// A step of the node http.respond is called "respond", below the node's id.
constexpr storage::statement look{"hooks.look", R"(
select j.finished_at is not null, j.state,
       (select s.result from postrider.step s
        where s.job_id = j.job_id and s.outcome = 'done' and s.key like '%/respond' and s.result ? 'status'
        order by s.seq limit 1)
from postrider.job j where j.job_id = $1
)"};

void add_headers(net::http_response& to, base::json_reader const& from) {
    if (!from.is_object()) return;
    for (auto const& [name, value] : from.raw()->get_object())
        if (auto const* text = value.if_string(); text && net::fits_header(name, *text))
            to.headers.add(std::string(name), std::string(*text));
}

net::http_response without_answer(storage::row const& ended, job_id execution) {
    if (ended.text(1) == "completed")
        return net::http_response::json(
            200, fmt::format(R"({{"execution":{}}})", base::raw(execution))
        );
    return net::http_response::problem(
        500,
        "execution_failed",
        fmt::format("execution {}: {}", base::raw(execution), ended.text(1))
    );
}

} // namespace

net::http_response to_response(json::value const& recorded) {
    base::json_reader const from{recorded};
    auto made = net::http_response::empty(static_cast<int>(from["status"].int64_or(200)));
    add_headers(made, from["headers"]);
    auto const body = from["body"];
    std::string_view type = "application/json";
    if (body.is_string()) {
        made.body = body.string();
        type = "text/plain; charset=utf-8";
    } else if (body) {
        made.body = json::serialize(*body.raw());
    }
    if (body && made.headers.count("Content-Type") == 0)
        made.headers.add("Content-Type", std::string(type));
    made.headers.add("Content-Security-Policy", "sandbox");
    made.headers.add("X-Content-Type-Options", "nosniff");
    return made;
}

base::awaitable<std::optional<net::http_response>> await_answer(
    storage::database& db, job_id execution, patience limit
) {
    std::vector<storage::param> const which{execution};
    auto const until = base::system_clock().steady() + limit.most;
    for (auto pause = first_pause;; pause = std::min(pause * 2, longest_pause)) {
        auto found = co_await db.query(look, which, look_deadline);
        // A database that is away for a moment is no reason to stop waiting.
        if (found && !found->empty()) {
            auto const& seen = found->front();
            if (!seen.null(2)) co_return to_response(seen.json(2));
            if (seen.boolean(0)) co_return without_answer(seen, execution);
        }
        auto const left = until - base::system_clock().steady();
        if (left <= base::duration::zero() || limit.is_over()) co_return std::nullopt;
        co_await base::sleep_for(std::min<base::duration>(pause, left));
    }
}

} // namespace postrider::hooks
