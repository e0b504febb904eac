#include "server/api/flow_requests.hpp"

#include "base/json/text.hpp"
#include "base/setting.hpp"
#include "server/api/entity_tag.hpp"
#include "server/api/page.hpp"
#include "server/views/flow_json.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <array>

namespace postrider::api {

namespace {

using on_row = std::function<net::http_response(storage::transaction&, storage::flow_row const&)>;

constexpr std::array<std::pair<std::string_view, int>, 3> statuses{{
    {"not_found", 404},
    {"no_lane", 404},
    {"invalid_flow", 422},
}};

int refusal_status(std::string_view code) {
    for (auto const& [refusal, status] : statuses)
        if (refusal == code) return status;
    return 409;
}

net::http_response no_such_flow(storage::transaction& tx, std::string_view name) {
    constexpr int most_suggested = 1000;
    std::vector<std::string> names;
    for (auto const& flow : storage::list_flows(tx, "", most_suggested, true))
        names.push_back(flow.name);
    auto const word = name.substr(0, 100);
    return net::http_response::problem(
        404, "not_found", fmt::format("there is no flow {}{}", word, base::suggestion(word, names))
    );
}

} // namespace

std::string tag_of(storage::flow_row const& flow) {
    return fmt::format("\"{}-{}\"", base::raw(flow.id), flow.revision);
}

work on_flow(net::http_request const& request, precondition tags, on_row action) {
    return [request, tags, action = std::move(action)](storage::transaction& tx) {
        auto const name = request.param("name");
        auto const flow =
            storage::fits_flow_name(name) ? storage::lock_flow(tx, name) : std::nullopt;
        if (!flow) return no_such_flow(tx, name);
        auto const precondition_state = if_match(request, tag_of(*flow));
        if (precondition_state == condition::failed)
            return net::http_response::problem(
                412, "precondition_failed", "the draft was changed meanwhile: read it again"
            );
        if (precondition_state == condition::absent && tags == precondition::required)
            return net::http_response::problem(
                428, "precondition_required", "say in If-Match which ETag of the draft you changed"
            );
        return action(tx, *flow);
    };
}

work with_flow(net::http_request const& request, on_row action) {
    return [name = std::string(request.param("name")),
            action = std::move(action)](storage::transaction& tx) {
        auto const flow =
            storage::fits_flow_name(name) ? storage::find_flow(tx, name) : std::nullopt;
        return flow ? action(tx, *flow) : no_such_flow(tx, name);
    };
}

net::http_response refused(agent::flow::refusal const& refusal) {
    auto response =
        net::http_response::problem(refusal_status(refusal.code), refusal.code, refusal.detail);
    if (refusal.problems.empty()) return response;
    auto body = boost::json::parse(response.body).as_object();
    body["problems"] = server::problems_json(refusal.problems);
    response.body = base::json_text(body);
    return response;
}

net::http_response flow_answer(
    storage::transaction& tx, int status, std::string_view name, boost::json::object members
) {
    auto const flow = storage::find_flow(tx, name).value();
    auto body = server::flow_json(flow);
    for (auto& member : members) body[member.key()] = std::move(member.value());
    auto response = json_answer(status, body);
    response.headers.add("ETag", tag_of(flow));
    if (status == 201) response.headers.add("Location", "/api/v1/flows/" + flow.name);
    return response;
}

std::optional<std::string> read_version_name(members& body) {
    auto const version = body.json("version");
    if (!version || version->is_null()) return std::nullopt;
    if (auto const* number = version->if_int64(); number && *number > 0)
        return std::to_string(*number);
    if (*version == "draft" || *version == "published") return std::string(version->get_string());
    body.mistake("version is not a number from 1, draft or published");
    return std::nullopt;
}

boost::json::value document_value(std::string_view text) {
    boost::json::parse_options deep;
    deep.max_depth = agent::flow::definition_limits{}.depth + 1;
    return boost::json::parse(text, {}, deep);
}

} // namespace postrider::api
