// What was published of a flow: versions, what differs between them, and back.
#include "server/api/endpoints.hpp"
#include "server/api/flow_requests.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/flow_json.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

namespace flow = agent::flow;

std::int64_t path_version(net::http_request const& request, inputs& mistakes_to) {
    auto const version = id_from(request.param("version"));
    if (!version) mistakes_to.mistake("the version in the path is not a positive integer");
    return version.value_or(0);
}

planned publish_flow(
    flow_services const& services, net::http_request const& request, caller const& caller
) {
    parameters query(request);
    members body(request);
    flow::publisher const by{actor_of(caller), body.text("note", 4000).value_or("")};
    if (!storage::fits_flow_note(by.note))
        body.mistake(fmt::format("note has over {} characters", storage::flow_note_limit));
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return on_flow(
        request,
        precondition::optional,
        [by,
         validator = services.validator](storage::transaction& tx, storage::flow_row const& row) {
            auto const published = flow::publish(tx, row, by, validator);
            if (!published) return refused(published.error());
            boost::json::object extra_members{
                {"version", published->version},
                {"fresh", published->fresh},
                {"problems", server::problems_json(published->problems)}};
            auto answer = flow_answer(tx, 200, row.name, std::move(extra_members));
            if (!published->fresh) return answer;
            answer.status = 201;
            answer.headers.add(
                "Location",
                fmt::format("/api/v1/flows/{}/versions/{}", row.name, published->version)
            );
            return answer;
        }
    );
}

planned list_versions(net::http_request const& request) {
    parameters query(request);
    auto const before = read_id_cursor(query).value_or(0);
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return with_flow(
        request,
        [before, limit](storage::transaction& tx, storage::flow_row const& row) {
            auto const page = storage::list_versions(tx, row.id, before, limit);
            boost::json::array versions;
            for (auto const& version : page) versions.push_back(server::version_json(version));
            boost::json::object body{{"versions", std::move(versions)}};
            if (std::ssize(page) >= limit) body["next"] = std::to_string(page.back().version);
            return json_answer(200, body);
        }
    );
}

planned show_version(net::http_request const& request) {
    parameters query(request);
    auto const version = path_version(request, query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return with_flow(request, [version](storage::transaction& tx, storage::flow_row const& row) {
        auto const document = flow::read_document(tx, row, std::to_string(version));
        if (!document) return refused(document.error());
        auto body = server::version_json(storage::find_version(tx, row.id, version).value());
        body["document"] = document_value(*document);
        return json_answer(200, body);
    });
}

planned restore_version(net::http_request const& request) {
    parameters query(request);
    members body(request);
    auto const version = path_version(request, query);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return on_flow(
        request,
        precondition::optional,
        [version](storage::transaction& tx, storage::flow_row const& row) {
            auto const done = flow::restore(tx, row, version);
            return done ? flow_answer(tx, 200, row.name) : refused(done.error());
        }
    );
}

planned compare_versions(net::http_request const& request) {
    parameters query(request);
    auto const before = query.text("from").value_or("published");
    auto const after = query.text("to").value_or("draft");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return with_flow(
        request,
        [before, after](storage::transaction& tx, storage::flow_row const& row) {
            auto const difference = flow::compare(tx, row, before, after);
            return difference ? json_answer(200, flow::to_json(*difference))
                              : refused(difference.error());
        }
    );
}

using change = std::function<flow::allowed<void>(storage::transaction&, storage::flow_row const&)>;

planned change_flow(change const& apply, net::http_request const& request) {
    parameters query(request);
    members body(request);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    return on_flow(
        request,
        precondition::optional,
        [apply](storage::transaction& tx, storage::flow_row const& row) {
            auto const done = apply(tx, row);
            return done ? flow_answer(tx, 200, row.name) : refused(done.error());
        }
    );
}

flow::allowed<void> archive(storage::transaction& tx, storage::flow_row const& row) {
    flow::archive(tx, row);
    return {};
}

endpoint changing(flow_services const& services, std::string_view verb, change apply) {
    auto const plan = [apply = std::move(apply)](net::http_request const& request) {
        return change_flow(apply, request);
    };
    endpoint to{"POST", fmt::format("/api/v1/flows/{{name}}/{}", verb), in_a_transaction(plan)};
    to.settle = services.put_in_force;
    return to;
}

} // namespace

std::vector<endpoint> flow_version_endpoints(resources const& resources) {
    auto const& services = resources.flows;
    auto const publish = [&services](net::http_request const& request, caller const& caller) {
        return publish_flow(services, request, caller);
    };
    auto const versions = std::string("/api/v1/flows/{name}/versions");
    auto const unarchive = [&services](auto& tx, auto const& row) {
        return flow::unarchive(tx, row, *services.validator.types);
    };
    endpoint publishing{"POST", "/api/v1/flows/{name}/publish", in_a_transaction(publish)};
    publishing.settle = services.put_in_force;
    endpoint restoring{"POST", versions + "/{version}/restore", in_a_transaction(restore_version)};
    restoring.open_to = audience::editors; // it changes the draft alone
    std::vector<endpoint> endpoints{
        std::move(publishing),
        {"GET", versions, in_a_transaction(list_versions)},
        {"GET", versions + "/{version}", in_a_transaction(show_version)},
        std::move(restoring),
        {"GET", "/api/v1/flows/{name}/diff", in_a_transaction(compare_versions)},
        changing(services, "archive", archive),
        changing(services, "unarchive", unarchive),
    };
    return endpoints;
}

} // namespace postrider::api
