// One value of a job's record, whole: what GET /jobs/{id} cuts when it is asked for a part of each.
#include "queue/admin/job_values.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::api {

namespace {

planned show_value(net::http_request const& request) {
    parameters query(request);
    auto const job = path_job(request, query);
    auto const value = query.text("of").value_or("");
    auto const key = query.text("key").value_or("");
    if (std::ranges::find(queue::recorded_values, value) == queue::recorded_values.end())
        query.mistake("of is not one of input, output, step, request and result");
    else if (key.empty() && value != "input" && value != "output")
        query.mistake("key is missing: it says of which step or effect");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([job, value, key](storage::transaction& tx) {
        auto text = queue::read_recorded_value(tx, job, value, key);
        if (!text) return net::http_response::problem(404, "not_found", "there is no such value");
        auto response = net::http_response::json(200, std::move(*text));
        response.headers.add(
            "Content-Disposition",
            fmt::format("attachment; filename=\"job-{}-{}.json\"", base::raw(job), value)
        );
        return response;
    });
}

} // namespace

std::vector<endpoint> job_value_endpoints(resources const&) {
    return {{"GET", "/api/v1/jobs/{id}/value", in_a_transaction(show_value)}};
}

} // namespace postrider::api
