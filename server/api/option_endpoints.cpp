// What a parameter that refers to something may name.
#include "agent/flow/validate/references.hpp"
#include "base/texts.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/flow_requests.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

namespace flow = agent::flow;

net::http_response no_reference(std::string_view name) {
    std::vector<std::string_view> references;
    for (auto const& reference : flow::references()) references.push_back(reference.name);
    return net::http_response::problem(
        404,
        "not_found",
        fmt::format("there is no reference {}; there are {}", name, base::joined(references, ", "))
    );
}

boost::json::object option_json(flow::option const& option) {
    boost::json::object json{{"name", option.name}};
    if (!option.title.empty()) json["title"] = option.title;
    return json;
}

// In place of a list without options.
std::string words_for_none(flow::reference const& reference, flow::option_query const& query) {
    if (!query.search.empty()) return fmt::format("No {} matches.", reference.noun);
    return fmt::format("No {} yet. {}", reference.plural, reference.first);
}

planned list_options(flow_services const& services, net::http_request const& request) {
    parameters query(request);
    flow::option_query asked;
    asked.search = query.text("search").value_or("");
    asked.after = query.text("cursor").value_or("");
    asked.limit = read_limit(query);
    auto const name = path_text(request, "reference", query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    auto const* reference = flow::find_reference(name);
    if (!reference) return no_reference(name);
    return work([reference, asked, context = services.validator.context](storage::transaction& tx) {
        auto const page = reference->options(tx, context, asked);
        boost::json::array options;
        for (auto const& option : page) options.push_back(option_json(option));
        boost::json::object body{{"options", std::move(options)}};
        if (std::ssize(page) >= asked.limit) body["next"] = page.back().name;
        if (page.empty() && asked.after.empty()) body["none"] = words_for_none(*reference, asked);
        return json_answer(200, body);
    });
}

} // namespace

std::vector<endpoint> option_endpoints(resources const& resources) {
    auto const list = [&services = resources.flows](net::http_request const& request) {
        return list_options(services, request);
    };
    endpoint options{"GET", "/api/v1/options/{reference}", in_a_transaction(list)};
    return {std::move(options)};
}

} // namespace postrider::api
