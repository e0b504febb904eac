// Workflows of n8n become drafts.
#include "agent/flow/document/document_text.hpp"
#include "agent/flow/n8n/import.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/flow_requests.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/flow_json.hpp"

#include <boost/json/serialize.hpp>

#include <memory>

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

// What is to be stored: complete once it was answered that the reading is done.
struct import_result {
    boost::json::object report = {};
    flow::candidate candidate = {};
};

net::http_response read_workflow(
    import_request const& asked, flow::validator const& validator, import_result& result
) {
    auto draft = flow::n8n::import_workflow(asked.text, *validator.types);
    if (!draft) return refused({"invalid_flow", draft.error().message, {draft.error()}});
    if (!asked.name.empty()) draft->document["name"] = asked.name;
    result.report = import_report(*draft);
    result.report["document"] = draft->document;
    if (asked.preview) return json_answer(200, result.report);
    auto candidate = flow::read_candidate(flow::document_text(draft->document), validator);
    if (!candidate) return refused(candidate.error());
    result.candidate = std::move(*candidate);
    return json_answer(200, {});
}

net::http_response store_draft(
    storage::transaction& tx,
    import_result const& result,
    bool overwrite,
    flow::publisher const& publisher,
    flow::validator const& validator
) {
    auto const imported =
        flow::import(tx, result.candidate, {.overwrite = overwrite}, publisher, validator);
    if (!imported) return refused(imported.error());
    auto report = result.report;
    report["created"] = imported->created;
    auto answer = flow_answer(tx, imported->created ? 201 : 200, result.candidate.name, {});
    answer.body = boost::json::serialize(report); // under the flow's own headers
    return answer;
}

// Converts on a storage thread, and stores in a transaction that begins after that.
base::awaitable<net::http_response> import_n8n(flow_services const& services, call incoming) {
    parameters query(incoming.request);
    import_request asked;
    asked.preview = read_flag(query, "preview");
    asked.overwrite = read_flag(query, "overwrite");
    asked.name = query.text("name").value_or("");
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    asked.text = incoming.request.body;
    auto const result = std::make_shared<import_result>();
    auto const validator = services.validator;
    auto const reading = in_a_transaction([=](net::http_request const&) -> planned {
        return work([=](storage::transaction&) { return read_workflow(asked, validator, *result); }
        );
    });
    auto read = co_await reading(incoming);
    if (read.status != 200 || asked.preview) co_return std::move(read);
    auto const storing = in_a_transaction([=](net::http_request const&, caller const& caller) {
        flow::publisher const publisher{actor_of(caller), "imported"};
        return planned(work([=](storage::transaction& tx) {
            return store_draft(tx, *result, asked.overwrite, publisher, validator);
        }));
    });
    co_return co_await storing(std::move(incoming));
}

} // namespace

std::vector<endpoint> n8n_endpoints(resources const& resources) {
    auto const import = [&services = resources.flows](call incoming) {
        return import_n8n(services, std::move(incoming));
    };
    endpoint take{"POST", "/api/v1/flows/import-n8n", import, document_limit};
    take.open_to = audience::editors;
    return {std::move(take)};
}

} // namespace postrider::api
