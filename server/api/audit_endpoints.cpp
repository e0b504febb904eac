#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/audit_check.hpp"

#include <boost/json/object.hpp>

#include <algorithm>

namespace postrider::api {

namespace {

constexpr std::string_view audit_export = "audit_export"; // the kind of its row

planned list_audit(net::http_request const& request) {
    parameters from(request);
    storage::audit_filter filter;
    if (auto const job = from.integer("job", 1, largest_number)) filter.job = job_id{*job};
    filter.kind = from.text("kind").value_or("");
    filter.actor = from.text("actor").value_or("");
    filter.limit = read_limit(from);
    if (auto const cursor = from.text("cursor")) {
        filter.before = server::audit_place_from_string(*cursor);
        if (!filter.before) from.mistake(std::string(wrong_cursor));
    }
    if (auto const wrong = from.mistakes(); !wrong.empty()) return invalid(wrong);
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

// Chain by chain with what is stored beside them, as `postrider audit export` writes it. An export is an act: its
// row is committed before the page is sent.
planned export_audit(net::http_request const& request, caller const& caller) {
    parameters from(request);
    auto after = storage::before_all_audit;
    if (auto const cursor = from.text("cursor")) {
        auto const place = server::audit_place_from_string(*cursor);
        if (!place) from.mistake(std::string(wrong_cursor));
        after = place.value_or(after);
    }
    auto const limit = static_cast<int>(from.integer("limit", 1, 1000).value_or(500));
    if (auto const wrong = from.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([=, from_place = from.text("cursor").value_or("")](storage::transaction& tx) {
        auto const page = storage::export_audit(tx, after, limit);
        note_export(tx, caller, from_place, page);
        return json_answer(200, server::audit_page_json(page, limit));
    });
}

// A page of the look at all of it, so that no request takes long.
planned verify_audit(net::http_request const& request) {
    parameters from(request);
    server::audit_cursor at;
    if (auto const cursor = from.text("cursor")) {
        auto const read = server::audit_cursor_from_string(*cursor);
        if (read) at = *read;
        if (!read) from.mistake(std::string(wrong_cursor));
    }
    if (auto const wrong = from.mistakes(); !wrong.empty()) return invalid(wrong);
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
        {"GET", "/api/v1/audit/export", in_a_transaction(export_audit)},
        {"GET", "/api/v1/audit/verify", in_a_transaction(verify_audit)}};
    for (auto& endpoint : endpoints) {
        endpoint.open_to = audience::owners;
        endpoint.use = database_use::report;
    }
    return endpoints;
}

} // namespace postrider::api
