#include "base/texts.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/usage_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::api {

namespace {

struct usage_grouping {
    storage::usage_key by = storage::usage_key::day;
    std::optional<storage::usage_key> then_by;
};

// "day", or two of them: "day,model".
usage_grouping read_grouping(parameters& query) {
    auto const text = query.text("by").value_or("day");
    auto const comma = std::min(text.find(','), text.size());
    auto const first = storage::usage_key_from_string(std::string_view(text).substr(0, comma));
    std::optional<storage::usage_key> second;
    if (comma < text.size())
        second = storage::usage_key_from_string(std::string_view(text).substr(comma + 1));
    bool const is_wrong = !first || (comma < text.size() && !second) || first == second;
    if (is_wrong)
        query.mistake(fmt::format(
            "by: must be one of {}, or two of them with a comma between",
            base::joined(storage::usage_keys(), ", ")
        ));
    return {first.value_or(storage::usage_key::day), second};
}

planned show_usage(net::http_request const& request) {
    parameters query(request);
    auto const grouping = read_grouping(query);
    auto const days = query.integer("days", 1, storage::most_usage_days);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    auto const last = static_cast<int>(days.value_or(storage::usual_usage_days));
    return work([grouping, last](storage::transaction& tx) {
        return json_answer(
            200, server::usage_json(storage::read_usage(tx, grouping.by, last, grouping.then_by))
        );
    });
}

} // namespace

std::vector<endpoint> usage_endpoints(resources const&) {
    endpoint usage{"GET", "/api/v1/usage", in_a_transaction(show_usage)};
    usage.use = database_use::report;
    return {std::move(usage)};
}

} // namespace postrider::api
