#include "server/api/health.hpp"

#include "base/json_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::api {

namespace {

using namespace std::chrono_literals;

constexpr auto beat = 2s;
constexpr auto beat_deadline = 3s;

constexpr storage::statement newest_migration{
    "health.newest_migration", "select coalesce(max(number), 0) from postrider.migration"};

} // namespace

void health::database_answered(int schema) {
    answered_ = clock_.steady();
    schema_found_ = schema;
}

std::vector<std::string> health::reasons_against() const {
    std::vector<std::string> reasons;
    if (draining_) reasons.push_back("draining");
    if (!answered_ || clock_.steady() - *answered_ > answer_is_fresh)
        reasons.push_back("the database does not answer");
    else if (schema_found_ < schema_)
        reasons.push_back(fmt::format("schema {} is older than {}", schema_found_, schema_));
    return reasons;
}

net::http_response healthz() {
    return net::http_response::json(200, R"({"status":"alive"})");
}

net::http_response readyz(health const& state) {
    auto reasons = state.reasons_against();
    if (reasons.empty()) return net::http_response::json(200, R"({"status":"ready"})");
    boost::json::array why(reasons.begin(), reasons.end());
    boost::json::object body{{"status", "not ready"}, {"reasons", std::move(why)}};
    return net::http_response::json(503, base::json_text(body));
}

base::awaitable<void> watch_database(storage::database& db, health& state) {
    while (true) {
        auto answer = co_await db.query(newest_migration, {}, beat_deadline);
        if (answer) state.database_answered(static_cast<int>(answer->front().int64(0)));
        co_await base::sleep_for(beat);
    }
}

} // namespace postrider::api
