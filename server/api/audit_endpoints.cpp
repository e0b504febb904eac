#include "base/json/text.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/audit_check.hpp"
#include "storage/transact.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace postrider::api {

namespace {

constexpr std::string_view audit_export = "audit_export"; // the kind of its row

planned list_audit(net::http_request const& request) {
    parameters query(request);
    storage::audit_filter filter;
    if (auto const job = query.integer("job", 1, largest_number)) filter.job = job_id{*job};
    filter.kind = query.text("kind").value_or("");
    filter.actor = query.text("actor").value_or("");
    filter.limit = read_limit(query);
    if (auto const cursor = query.text("cursor")) {
        filter.before = server::audit_place_from_string(*cursor);
        if (!filter.before) query.mistake(std::string(wrong_cursor));
    }
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([filter](storage::transaction& tx) {
        auto const entries = storage::list_audit(tx, filter);
        return json_answer(200, server::audit_page_json(entries, filter.limit));
    });
}

// Of what a page told; of one that told of earlier pages alone nothing is noted, or an export of small pages
// would never end.
void note_export(
    storage::transaction& tx,
    caller const& caller,
    std::string after,
    std::vector<storage::audit_entry> const& page
) {
    bool const is_news =
        std::ranges::any_of(page, [](auto const& row) { return row.kind != audit_export; });
    if (!is_news && !page.empty()) return;
    boost::json::object range{{"after", std::move(after)}, {"entries", page.size()}};
    if (!page.empty()) {
        auto const& last = page.back();
        range["last"] = server::to_string(storage::audit_place{last.lane, last.number});
    }
    storage::act_as(tx, actor_of(caller));
    storage::audit_operation(tx, audit_export, {}, "audit", range);
}

struct audit_export_request {
    caller by;
    std::string after; // as the caller wrote it; "" = from the beginning
    storage::audit_place place = storage::before_all_audit;
    int limit = 0; // rows of a page
};
using audit_rows = std::vector<storage::audit_entry>;

// Chain by chain with what is stored beside them, as `postrider audit export` writes it. An export is an act: its
// row is committed before the page is sent.
base::awaitable<base::result<audit_rows>> export_page(
    storage::database& db, audit_export_request asked
) {
    auto read = [asked](storage::transaction& tx) {
        auto page = storage::export_audit(tx, asked.place, asked.limit);
        note_export(tx, asked.by, asked.after, page);
        return page;
    };
    return storage::transact(db, "audit.export", std::move(read), database_waits.report);
}

// Holds one page at a time. What is thrown cuts the file off, which its reader notices.
base::awaitable<void> send_lines(
    storage::database& db, audit_export_request asked, audit_rows page, net::body_writer& writer
) {
    for (;;) {
        std::string lines;
        for (auto const& entry : page) lines += base::json_text(server::audit_json(entry)) + '\n';
        bool const is_read_on = co_await writer.write(lines);
        if (!is_read_on || page.size() < static_cast<std::size_t>(asked.limit)) co_return;
        asked.place = {page.back().lane, page.back().number};
        asked.after = server::to_string(asked.place);
        auto next = co_await export_page(db, asked);
        if (!next) throw std::runtime_error("the audit's next page: " + to_string(next.error()));
        page = std::move(*next);
    }
}

net::http_response lines_response(
    storage::database& db, audit_export_request asked, audit_rows page
) {
    net::http_response response;
    response.headers.add("Content-Type", "application/jsonl");
    response.headers.add("Content-Disposition", "attachment; filename=\"audit.jsonl\"");
    response.headers.add("Cache-Control", "no-store");
    auto const first = std::make_shared<audit_rows const>(std::move(page));
    response.stream.produce = [&db, asked = std::move(asked), first](net::body_writer& writer) {
        return send_lines(db, asked, *first, writer);
    };
    return response;
}

// One page, or all of it as lines.
base::awaitable<net::http_response> export_audit(call incoming) {
    parameters query(incoming.request);
    audit_export_request asked{.by = incoming.by, .after = query.text("cursor").value_or("")};
    if (!asked.after.empty()) {
        auto const place = server::audit_place_from_string(asked.after);
        if (!place) query.mistake(std::string(wrong_cursor));
        asked.place = place.value_or(asked.place);
    }
    asked.limit = static_cast<int>(query.integer("limit", 1, 1000).value_or(500));
    auto const format = query.text("format").value_or("json");
    if (format != "json" && format != "jsonl") query.mistake("format is neither json nor jsonl");
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    auto page = co_await export_page(incoming.db, asked);
    if (!page) co_return problem_of(page.error(), database_use::report);
    if (format == "json") co_return json_answer(200, server::audit_page_json(*page, asked.limit));
    co_return lines_response(incoming.db, std::move(asked), std::move(*page));
}

// A page of the look at all of it, so that no request takes long.
planned verify_audit(net::http_request const& request) {
    parameters query(request);
    server::audit_cursor at;
    if (auto const cursor = query.text("cursor")) {
        auto const read = server::audit_cursor_from_string(*cursor);
        if (read) at = *read;
        if (!read) query.mistake(std::string(wrong_cursor));
    }
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([at](storage::transaction& tx) {
        server::audit_verdict verdict;
        auto const next = server::check_audit(tx, at, verdict);
        auto answer = server::audit_verdict_json(verdict);
        if (next) answer["next"] = server::to_string(*next);
        return json_answer(200, answer);
    });
}

} // namespace

std::vector<endpoint> audit_endpoints(resources const&) {
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/audit", in_a_transaction(list_audit)},
        {"GET", "/api/v1/audit/export", export_audit},
        {"GET", "/api/v1/audit/verify", in_a_transaction(verify_audit)}};
    for (auto& endpoint : endpoints) {
        endpoint.open_to = audience::owners;
        endpoint.use = database_use::report;
    }
    return endpoints;
}

} // namespace postrider::api
