// Is the installation well, and how is it configured?
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/api/shared_readings.hpp"
#include "server/views/settings_json.hpp"

namespace postrider::api {

namespace {

base::awaitable<net::http_response> show_doctor(
    std::shared_ptr<shared_readings> readings, call incoming
) {
    parameters query(incoming.request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    auto const read = co_await readings->doctor.get();
    if (!read) co_return problem_of(read.error(), database_use::report);
    auto const& found = **read;
    boost::json::object body;
    body["ok"] = !server::any_failed(found);
    body["findings"] = server::to_json(found);
    co_return json_answer(200, body);
}

base::awaitable<net::http_response> show_settings(
    std::vector<base::settings::line> const& lines, call incoming
) {
    parameters query(incoming.request);
    bool const set = read_flag(query, "set");
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    co_return json_answer(200, server::settings_json(lines, set));
}

} // namespace

std::vector<endpoint> doctor_endpoints(resources const& resources) {
    auto const& installed = resources.installed;
    if (!installed || !installed->shown_settings || !resources.readings) return {};
    auto doctor = [readings = resources.readings](call incoming) {
        return show_doctor(readings, std::move(incoming));
    };
    auto settings = [lines = installed->shown_settings](call incoming) {
        return show_settings(*lines, std::move(incoming));
    };
    return {
        {"GET", "/api/v1/doctor", std::move(doctor)},
        {"GET", "/api/v1/settings", std::move(settings)}};
}

} // namespace postrider::api
