#include "agent/spam/verdict_json.hpp"

#include "agent/spam/check.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <cmath>

namespace postrider::agent::spam {

namespace {

double two_digits(double number) {
    return std::round(number * 100) / 100;
}

} // namespace

boost::json::object verdict_json(spam::verdict const& verdict) {
    boost::json::array checks;
    for (auto const& result : verdict.results)
        checks.push_back(boost::json::object{
            {"check", result.check},
            {"score", two_digits(result.score)},
            {"weight", result.weight},
            {"points", two_digits(result.points)},
            {"reason", result.reason}});
    return {
        {"is_spam", verdict.is_spam},
        {"points", two_digits(verdict.points)},
        {"threshold", verdict.threshold},
        {"reason", verdict.reason()},
        {"checks", std::move(checks)}};
}

spam::verdict verdict_from(boost::json::value const& verdict) {
    base::json_reader const root{verdict};
    spam::verdict read;
    read.is_spam = root["is_spam"].boolean_or(false);
    read.points = root["points"].number_or(0);
    read.threshold = static_cast<int>(root["threshold"].int64_or(0));
    if (auto const results = root["checks"]) read.results = results_from(*results.raw());
    return read;
}

std::vector<check_result> results_from(boost::json::value const& results) {
    std::vector<check_result> read;
    for (auto const& entry : base::json_reader(results).items_or_none()) {
        auto const name = entry["check"].string_or("");
        auto const check = std::ranges::find(checks(), name, &check::name);
        if (check == checks().end()) continue;
        read.push_back(
            {(*check)->name,
             entry["score"].number_or(0),
             static_cast<int>(entry["weight"].int64_or(0)),
             entry["points"].number_or(0),
             entry["reason"].string_or("")}
        );
    }
    return read;
}

} // namespace postrider::agent::spam
