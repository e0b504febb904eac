#include "server/hooks/resume_route.hpp"

#include "base/html.hpp"
#include "base/json/json.hpp"
#include "base/json/nul.hpp"
#include "base/taken_place.hpp"
#include "server/api/problem.hpp"
#include "server/hooks/page.hpp"
#include "server/hooks/request_item.hpp"
#include "storage/transact.hpp"

#include <boost/json/object.hpp>

#include <charconv>
#include <memory>
#include <optional>

namespace postrider::hooks {

namespace {

namespace json = boost::json;
using net::http_request;
using net::http_response;

constexpr std::size_t largest_answer = 64u << 10;
constexpr std::size_t code_digits = 40;
constexpr int most_waiting = 50; // requests that wait for the database
constexpr int later = 2;         // seconds
constexpr base::duration patience = std::chrono::seconds{10};

// That the lane of its wait is looked at by one request at a time.
constexpr storage::statement lock_wait{"resume.lock", R"(
select r.lane_id from postrider.lane_run r
where r.lane_id = (select w.lane_id from postrider.wait w where w.job_id = $1::bigint and w.type = 'postrider.resume' and w.match = $2)
for update
)"};

constexpr storage::statement find_wait{"resume.find", R"(
select w.lane_id, coalesce(j.input->>'flow', '')
from postrider.wait w join postrider.job j on j.job_id = w.job_id and j.lane_id = w.lane_id
where w.job_id = $1::bigint and w.type = 'postrider.resume' and w.match = $2 and w.until_at > postrider.now()
  and postrider.is_live(j.state)
  and not exists (select from postrider.event e
                  where e.lane_id = w.lane_id and e.job_id = w.job_id and e.type = 'postrider.resume' and e.match = w.match)
)"};

constexpr storage::statement send_event{"resume.send", R"(
select postrider.deliver_event($1::bigint, $2::bigint, 'postrider.resume', $3::jsonb, $4)
)"};

struct link {
    std::int64_t job = 0;
    std::string code;
};

bool is_code(std::string_view text) {
    return text.size() == code_digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::optional<link> link_of(http_request const& request) {
    link named;
    auto const text = request.param("job");
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), named.job);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    named.code = std::string(request.param("code"));
    if (!is_code(named.code)) return std::nullopt;
    return named;
}

http_response unknown_link() {
    return message_page(
        404,
        "This link does nothing",
        "It was used, it has expired, or the flow does not wait for it yet."
    );
}

http_response too_many() {
    auto answer = message_page(503, "Please try again", "Many links are opened just now.");
    answer.headers.add("Retry-After", std::to_string(later));
    return answer;
}

bool is_form(http_request const& request) {
    return net::has_media_type(request.headers, "application/x-www-form-urlencoded");
}

// The flow that waits; nothing: none does.
std::optional<std::string> find_flow(storage::transaction& tx, link const& named) {
    auto const rows = tx.query(find_wait, {named.job, named.code});
    if (rows.empty()) return std::nullopt;
    return rows.front().text(1);
}

bool resume(storage::transaction& tx, link const& named, json::value const& payload) {
    tx.query(lock_wait, {named.job, named.code});
    auto const rows = tx.query(find_wait, {named.job, named.code});
    if (rows.empty()) return false;
    tx.query(
        send_event, {rows.front().int64(0), named.job, base::storable_json(payload), named.code}
    );
    return true;
}

base::awaitable<http_response> show(storage::database& db, http_request request) {
    auto const named = link_of(request);
    if (!named) co_return unknown_link();
    auto find = [named](storage::transaction& tx) { return find_flow(tx, *named); };
    auto const flow = co_await storage::transact(db, "resume.show", std::move(find), patience);
    if (!flow) co_return api::problem_of(flow.error(), api::database_use::read);
    if (!*flow) co_return unknown_link();
    co_return page(
        200,
        "Continue?",
        "<p>The flow " + base::html_escaped(**flow) +
            " waits for you.</p><form method=\"post\"><button>Continue</button></form>"
    );
}

base::awaitable<http_response> resume_once(storage::database& db, http_request request) {
    auto const named = link_of(request);
    if (!named) co_return unknown_link();
    auto item = item_of(request, {}, {});
    if (!item) co_return http_response::problem(400, "invalid", item.error().detail);
    json::object payload{{"query", item->at("query")}, {"body", item->at("body")}};
    bool const by_form = is_form(request);
    if (by_form) {
        auto fields = fields_of(request.body);
        if (!fields) co_return http_response::problem(400, "invalid", fields.error().detail);
        payload["body"] = std::move(*fields);
    }
    auto work = [named, payload = std::move(payload)](storage::transaction& tx) {
        return resume(tx, *named, payload);
    };
    auto const resumed = co_await storage::transact(db, "resume.send", std::move(work), patience);
    if (!resumed) co_return api::problem_of(resumed.error(), api::database_use::change);
    if (!*resumed) co_return unknown_link();
    bool const by_browser = by_form || request.headers.count("Sec-Fetch-Site") > 0;
    if (by_browser) co_return message_page(200, "Thank you", "The flow goes on.");
    co_return http_response::json(200, R"({"resumed":true})");
}

// What both routes share.
struct resume_desk {
    using handler = base::awaitable<http_response> (*)(storage::database&, http_request);

    explicit resume_desk(storage::database& database) : db(database) {}

    storage::database& db;
    int waiting = 0;
};

base::awaitable<http_response> respond(
    std::shared_ptr<resume_desk> desk, resume_desk::handler handle, http_request request
) {
    if (desk->waiting >= most_waiting) co_return too_many();
    base::taken_place const taken(desk->waiting);
    co_return co_await handle(desk->db, std::move(request));
}

net::route route_to(
    std::shared_ptr<resume_desk> const& desk, std::string method, resume_desk::handler handle
) {
    net::route route;
    route.method = std::move(method);
    route.pattern = "/resume/{job}/{code}";
    route.handle = [desk, handle](http_request request) {
        return respond(desk, handle, std::move(request));
    };
    return route;
}

} // namespace

std::vector<net::route> resume_routes(storage::database& db) {
    auto const desk = std::make_shared<resume_desk>(db);
    auto shown = route_to(desk, "GET", show);
    auto sent = route_to(desk, "POST", resume_once);
    sent.body_limit = largest_answer;
    return {std::move(shown), std::move(sent)};
}

} // namespace postrider::hooks
