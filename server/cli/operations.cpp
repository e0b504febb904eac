#include "server/cli/operations.hpp"

#include "base/json/json.hpp"
#include "base/json/nul.hpp"
#include "base/json/text.hpp"
#include "server/cli/job_report.hpp"
#include "server/cli/parser/suggestion.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace json = boost::json;

base::result<json::value> json_of(std::string const& text, std::string_view option) {
    auto value = base::parse_json(text);
    if (!value)
        return base::error(
            base::errc::invalid,
            fmt::format("{} is not JSON; a text needs quotes of its own: '\"like this\"'", option)
        );
    if (base::holds_nul(*value)) return base::nul_refusal(option);
    return std::move(*value);
}

base::result<queue::new_event> event_of(event_options const& options) {
    queue::new_event event{options.type, nullptr, options.match};
    if (options.payload.empty()) return event;
    auto payload = json_of(options.payload, "--payload");
    if (!payload) return payload.error();
    event.payload = std::move(*payload);
    return event;
}

int tell(context const& in, std::vector<queue::operation_result> const& results) {
    bool all_done = true;
    for (auto const& result : results) {
        all_done = all_done && result.done;
        if (!in.json) (result.done ? in.out : in.err) << to_text(result) << '\n';
    }
    if (in.json) {
        json::array array;
        for (auto const& result : results) array.push_back(to_json(result));
        in.out << base::json_text(json::object{{"results", std::move(array)}}) << '\n';
    }
    return all_done ? 0 : 1;
}

int operate_once(
    context const& in, std::function<queue::operation_result(storage::transaction&)> operation
) {
    std::vector<queue::operation_result> results(1);
    int const code = in_database(in, "do that", [&](storage::transaction& tx) {
        results.front() = operation(tx);
    });
    return code == 0 ? tell(in, results) : code;
}

std::string lane_suggestion(storage::transaction& tx, std::string const& key) {
    constexpr int most = 1000;
    std::vector<std::string> keys;
    for (auto const* status : {"", "idle"})
        for (auto const& lane : queue::list_lanes(tx, {.status = status}, "", most))
            keys.push_back(lane.key);
    return suggestion(key, keys);
}

} // namespace postrider::cli
