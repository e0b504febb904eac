// Flows, their drafts, and the templates that drafts begin with.
#include "agent/flow/document/document_text.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/flow_requests.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/start/flow_templates.hpp"
#include "server/views/flow_json.hpp"
#include "server/views/flow_runs.hpp"

#include <fmt/format.h>

#include <utility>

namespace postrider::api {

namespace {

namespace flow = agent::flow;

planned list_flows(net::http_request const& request) {
    parameters query(request);
    auto const after = query.text("cursor").value_or("");
    auto const limit = read_limit(query);
    bool const archived = read_flag(query, "archived");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([after, limit, archived](storage::transaction& tx) {
        auto const page = storage::list_flows(tx, after, limit, archived);
        auto const runs = server::last_flow_runs(tx);
        boost::json::array flows;
        for (auto const& flow : page) {
            auto shown = server::flow_json(flow);
            auto const run = runs.find(flow.name);
            shown["last_run"] = nullptr;
            if (run != runs.end()) shown["last_run"] = server::flow_run_json(run->second);
            flows.push_back(std::move(shown));
        }
        boost::json::object body{{"flows", std::move(flows)}};
        if (std::ssize(page) >= limit) body["next"] = page.back().name;
        return json_answer(200, body);
    });
}

planned list_templates(net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    boost::json::array templates;
    for (auto const& shipped : server::flow_templates()) {
        auto entry = server::summary_of(shipped);
        entry["document"] = shipped.document;
        templates.push_back(std::move(entry));
    }
    boost::json::object body{{"flow_templates", std::move(templates)}};
    return json_answer(200, body);
}

planned make_draft(flow_services const& services, std::string document) {
    return work([text = std::move(document),
                 validator = services.validator](storage::transaction& tx) {
        auto const candidate = flow::read_candidate(text, validator);
        if (!candidate) return refused(candidate.error());
        auto const row = flow::create(tx, *candidate);
        if (!row) return refused(row.error());
        return flow_answer(
            tx, 201, candidate->name, {{"problems", server::problems_json(candidate->problems)}}
        );
    });
}

planned create_flow(flow_services const& services, net::http_request const& request) {
    parameters query(request);
    auto const origin = query.text("template");
    if (!origin) {
        if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
        return make_draft(services, request.body);
    }
    members body(request);
    auto const name = body.required_text("name");
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) return invalid(wrong);
    auto const* chosen = server::find_flow_template(*origin);
    if (!chosen)
        return net::http_response::problem(404, "not_found", server::no_such_template(*origin));
    return make_draft(services, server::new_flow_document(name, chosen));
}

planned show_flow(net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return with_flow(request, [](storage::transaction& tx, storage::flow_row const& row) {
        auto document = document_value(storage::read_draft(tx, row.id));
        return flow_answer(tx, 200, row.name, {{"document", std::move(document)}});
    });
}

planned save_draft(flow_services const& services, net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    auto head = request;
    auto text = std::exchange(head.body, {});
    return on_flow(
        head,
        precondition::required,
        [text = std::move(text),
         validator = services.validator](storage::transaction& tx, storage::flow_row const& row) {
            auto const candidate = flow::read_candidate(text, validator);
            if (!candidate) return refused(candidate.error());
            auto const saved = flow::save(tx, row, *candidate);
            if (!saved) return refused(saved.error());
            return flow_answer(
                tx, 200, row.name, {{"problems", server::problems_json(candidate->problems)}}
            );
        }
    );
}

planned delete_flow(net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return on_flow(
        request,
        precondition::optional,
        [](storage::transaction& tx, storage::flow_row const& row) {
            auto const gone = flow::remove(tx, row);
            return gone ? json_answer(200, {{"deleted", row.name}}) : refused(gone.error());
        }
    );
}

planned import_flow(
    flow_services const& services, net::http_request const& request, caller const& caller
) {
    parameters query(request);
    flow::import_options options;
    options.publish = read_flag(query, "publish");
    options.overwrite = read_flag(query, "overwrite");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    flow::publisher const publisher{actor_of(caller), "imported"};
    return work([text = request.body, options, publisher, validator = services.validator](
                    storage::transaction& tx
                ) {
        auto const candidate = flow::read_candidate(text, validator);
        if (!candidate) return refused(candidate.error());
        auto const imported = flow::import(tx, *candidate, options, publisher, validator);
        if (!imported) return refused(imported.error());
        boost::json::object more{
            {"created", imported->created},
            {"problems", server::problems_json(imported->problems)}};
        if (imported->published) more["fresh"] = imported->published->fresh;
        return flow_answer(tx, imported->created ? 201 : 200, candidate->name, std::move(more));
    });
}

// The document alone, to be kept in a file.
planned export_flow(net::http_request const& request) {
    parameters query(request);
    auto const version = query.text("version");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return with_flow(request, [version](storage::transaction& tx, storage::flow_row const& row) {
        auto const version_name = version.value_or(row.published ? "published" : "draft");
        auto text = flow::read_document(tx, row, version_name);
        if (!text) return refused(text.error());
        auto response = net::http_response::json(200, std::move(*text));
        response.headers.add(
            "Content-Disposition", fmt::format("attachment; filename=\"{}.json\"", row.name)
        );
        return response;
    });
}

} // namespace

std::vector<endpoint> flow_endpoints(resources const& resources) {
    auto const& services = resources.flows;
    auto const create = [&services](net::http_request const& request) {
        return create_flow(services, request);
    };
    auto const save = [&services](net::http_request const& request) {
        return save_draft(services, request);
    };
    auto const import = [&services](net::http_request const& request, caller const& caller) {
        return import_flow(services, request, caller);
    };
    endpoint take{"POST", "/api/v1/flows/import", in_a_transaction(import), document_limit};
    endpoint remove{"DELETE", "/api/v1/flows/{name}", in_a_transaction(delete_flow)};
    for (auto* endpoint : {&take, &remove}) endpoint->settle = services.put_in_force;
    endpoint begin{"POST", "/api/v1/flows", in_a_transaction(create), document_limit};
    endpoint keep{"PUT", "/api/v1/flows/{name}", in_a_transaction(save), document_limit};
    for (auto* endpoint : {&begin, &keep}) endpoint->open_to = audience::editors;
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/flows", in_a_transaction(list_flows)},
        {"GET", "/api/v1/flow-templates", in_a_transaction(list_templates)},
        std::move(begin),
        std::move(take),
        {"GET", "/api/v1/flows/{name}", in_a_transaction(show_flow)},
        std::move(keep),
        std::move(remove),
        {"GET", "/api/v1/flows/{name}/export", in_a_transaction(export_flow)},
    };
    return endpoints;
}

} // namespace postrider::api
