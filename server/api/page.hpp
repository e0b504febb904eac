#pragma once
// Pages and filters, as several endpoints read them, and answers made of JSON. Pure.
#include "net/http.hpp"
#include "queue/admin/operations.hpp"
#include "server/api/inputs.hpp"
#include "server/views/executions.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postrider::api {

inline constexpr std::string_view wrong_cursor = "cursor is not one that an answer gave as next";
inline constexpr int usual_page = 50;
inline constexpr int largest_page = 200;

// "limit", 1 to 200.
int read_limit(parameters& query);
// "true", "false", or absent, which is false.
bool read_flag(parameters& query, std::string_view name);
// "cursor" where pages are keyed by an id: the one below which the page begins.
std::optional<std::int64_t> read_id_cursor(parameters& query);
template<class Id>
std::optional<Id> read_id_cursor(parameters& query) {
    auto const id = read_id_cursor(query);
    return id ? std::optional(Id{*id}) : std::nullopt;
}

// "state" of a query: one or more, separated by commas; "degraded" is one, too. And "degraded_reason".
void read_states(parameters& query, server::execution_filter& filter);

// state, degraded_reason, kind, flow, lane, lane_text, error_class, after, before (when it was created). In a
// query the states are separated by commas, in a body they are an array.
queue::job_filter read_filter(parameters& query);
queue::job_filter read_filter(members& body);
// "version" of a flow for jobs from now on: "current", or a number.
std::optional<std::string> read_version(members& body);
// True when it restricts nothing.
bool matches_all(queue::job_filter const& filter);

net::http_response json_answer(int status, boost::json::object const& body);

// The job's id in the path; a mistake otherwise.
job_id path_job(net::http_request const& request, inputs& mistakes_to);

// A key or name in the path; a mistake where no database holds such a text.
std::string path_text(net::http_request const& request, std::string_view name, inputs& mistakes_to);

// Of everything that was read. Empty = nothing is wrong.
std::vector<std::string> mistakes_of(inputs& first, inputs& second);

} // namespace postrider::api
