// Workflows of n8n become drafts.
#include "agent/flow/document/document_text.hpp"
#include "agent/flow/n8n/import.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/flow_requests.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/flow_json.hpp"

namespace postrider::api {

namespace {

namespace flow = agent::flow;

struct import_request {
    std::string text;
    std::string name; // "" = made of the workflow's
    bool preview = false;
    bool overwrite = false;
};

boost::json::object import_report(flow::n8n::imported_draft const& draft) {
    return {
        {"problems", server::problems_json(draft.problems)},
        {"counts", flow::n8n::to_json(draft.counts)}};
}

net::http_response import_now(
    storage::transaction& tx,
    import_request const& asked,
    flow::publisher const& by,
    flow::validator const& validator
) {
    auto draft = flow::n8n::import_workflow(asked.text, *validator.types);
    if (!draft) return refused({"invalid_flow", draft.error().message, {draft.error()}});
    if (!asked.name.empty()) draft->document["name"] = asked.name;
    auto report = import_report(*draft);
    if (asked.preview) {
        report["document"] = std::move(draft->document);
        return json_answer(200, report);
    }
    auto const candidate = flow::read_candidate(flow::document_text(draft->document), validator);
    if (!candidate) return refused(candidate.error());
    auto const imported =
        flow::import(tx, *candidate, {.overwrite = asked.overwrite}, by, validator);
    if (!imported) return refused(imported.error());
    report["created"] = imported->created;
    report["document"] = std::move(draft->document);
    auto answer = flow_answer(tx, imported->created ? 201 : 200, candidate->name, {});
    answer.body = boost::json::serialize(report); // under the flow's own headers
    return answer;
}

planned import_n8n(
    flow_services const& services, net::http_request const& request, caller const& caller
) {
    parameters query(request);
    import_request asked;
    asked.preview = read_flag(query, "preview");
    asked.overwrite = read_flag(query, "overwrite");
    asked.name = query.text("name").value_or("");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    asked.text = request.body;
    flow::publisher const by{actor_of(caller), "imported"};
    return work([asked, by, validator = services.validator](storage::transaction& tx) {
        return import_now(tx, asked, by, validator);
    });
}

} // namespace

std::vector<endpoint> n8n_endpoints(resources const& resources) {
    auto const& services = resources.flows;
    auto const import = [&services](net::http_request const& request, caller const& caller) {
        return import_n8n(services, request, caller);
    };
    endpoint take{"POST", "/api/v1/flows/import-n8n", in_a_transaction(import), document_limit};
    take.open_to = audience::editors;
    return {std::move(take)};
}

} // namespace postrider::api
