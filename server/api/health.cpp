#include "server/api/health.hpp"

#include "base/json/text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::api {

namespace {

constexpr storage::statement newest_migration{
    "health.newest_migration",
    "select t.i, (select coalesce(max(number), 0) from postrider.migration) "
    "from json_to_recordset($1::json) as t(i int)",
    9};

} // namespace

void health::database_answered() {
    answered_ = clock_.steady();
}

std::vector<std::string> health::reasons_against() const {
    std::vector<std::string> reasons;
    if (draining_) reasons.push_back("draining");
    if (!answered_ || clock_.steady() - *answered_ > answer_is_fresh)
        reasons.push_back("the database does not answer");
    else if (schema_found_ < schema_)
        reasons.push_back(fmt::format("schema {} is older than {}", schema_found_, schema_));
    if (auto const waits = oldest_(); waits > longest_commit)
        reasons.push_back("a commit is not answered since " + base::to_text(waits));
    if (refusal_) reasons.push_back("commits are refused: " + *refusal_);
    return reasons;
}

net::http_response healthz() {
    return net::http_response::json(200, R"({"status":"alive"})");
}

net::http_response readyz(health const& state) {
    auto reasons = state.reasons_against();
    if (reasons.empty()) return net::http_response::json(200, R"({"status":"ready"})");
    boost::json::array listed(reasons.begin(), reasons.end());
    boost::json::object body{{"status", "not ready"}, {"reasons", std::move(listed)}};
    return net::http_response::json(503, base::json_text(body));
}

void watch_schema(queue::engine& engine, health& state) {
    engine.add_read(newest_migration, [&state](storage::rows const& migrations) {
        state.schema_found(static_cast<int>(migrations.front().int64(1)));
    });
}

} // namespace postrider::api
