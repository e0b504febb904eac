#include "server/api/page.hpp"

#include "agent/talk/degradation.hpp"
#include "base/json/nul.hpp"
#include "base/json/text.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

template<class Source>
queue::job_filter filter_without_states(Source& source) {
    queue::job_filter filter;
    filter.kind = source.text("kind").value_or("");
    filter.flow = source.text("flow").value_or("");
    filter.lane = source.text("lane").value_or("");
    filter.lane_text = source.text("lane_text").value_or("");
    filter.error_class = source.text("error_class").value_or("");
    filter.created_after = source.time("after");
    filter.created_before = source.time("before");
    return filter;
}

// "degraded" is a state to those who look, beside the engine's own.
template<class Filter>
void add_state(Filter& filter, std::string_view word, inputs& mistakes_to) {
    if (auto state = queue::job_state_from_string(word))
        filter.states.push_back(*state);
    else if (word == "degraded")
        filter.degraded = true;
    else
        mistakes_to.mistake(fmt::format("state: there is no {}", word.substr(0, 60)));
}

template<class Filter>
void add_states(Filter& filter, parameters& query) {
    auto const words = query.text("state").value_or("");
    for (std::string_view rest = words; !rest.empty();) {
        auto const word = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        add_state(filter, word, query);
    }
}

// Alone it asks for degraded jobs.
template<class Filter, class Source>
void add_reason(Filter& filter, Source& source) {
    filter.degraded_reason = source.text("degraded_reason").value_or("");
    if (filter.degraded_reason.empty()) return;
    if (!agent::degraded_by_from_string(filter.degraded_reason))
        source.mistake(
            fmt::format("degraded_reason: there is no {}", filter.degraded_reason.substr(0, 60))
        );
    if (filter.states.empty()) filter.degraded = true;
}

} // namespace

int read_limit(parameters& query) {
    return static_cast<int>(query.integer("limit", 1, largest_page).value_or(usual_page));
}

bool read_flag(parameters& query, std::string_view name) {
    auto const flag = query.text(name).value_or("false");
    if (flag != "true" && flag != "false")
        query.mistake(fmt::format("{} is not true or false", name));
    return flag == "true";
}

std::optional<std::int64_t> read_id_cursor(parameters& query) {
    auto const cursor = query.text("cursor");
    if (!cursor) return std::nullopt;
    auto const id = id_from(*cursor);
    if (!id) query.mistake(std::string(wrong_cursor));
    return id;
}

void read_states(parameters& query, server::execution_filter& filter) {
    add_states(filter, query);
    add_reason(filter, query);
}

queue::job_filter read_filter(parameters& query) {
    auto filter = filter_without_states(query);
    add_states(filter, query);
    add_reason(filter, query);
    return filter;
}

queue::job_filter read_filter(members& body) {
    auto filter = filter_without_states(body);
    for (auto const& word : body.texts("state")) add_state(filter, word, body);
    add_reason(filter, body);
    return filter;
}

std::optional<std::string> read_version(members& body) {
    auto const version = body.json("version");
    if (!version) return std::nullopt;
    if (version->is_string() && version->get_string() == "current") return "current";
    if (auto const* number = version->if_int64(); number && *number > 0)
        return std::to_string(*number);
    body.mistake("version is neither current nor a number from 1 on");
    return std::nullopt;
}

bool matches_all(queue::job_filter const& filter) {
    return filter.states.empty() && !filter.degraded && filter.degraded_reason.empty() &&
           filter.kind.empty() && filter.flow.empty() && filter.lane.empty() &&
           filter.lane_text.empty() && filter.error_class.empty() && !filter.created_after &&
           !filter.created_before;
}

net::http_response json_answer(int status, boost::json::object const& body) {
    return net::http_response::json(status, base::json_text(body));
}

job_id path_job(net::http_request const& request, inputs& mistakes_to) {
    auto const id = id_from(request.param("id"));
    if (!id) mistakes_to.mistake("the job's id in the path is not a positive integer");
    return job_id{id.value_or(0)};
}

std::string path_text(
    net::http_request const& request, std::string_view name, inputs& mistakes_to
) {
    std::string text(request.param(name));
    if (base::has_nul(text))
        mistakes_to.mistake(base::nul_refusal(fmt::format("the {} in the path", name)).detail);
    return text;
}

std::vector<std::string> mistakes_of(inputs& first, inputs& second) {
    auto all = first.mistakes();
    auto more = second.mistakes();
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace postrider::api
