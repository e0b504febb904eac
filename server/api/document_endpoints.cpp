// The documents of collections: they are added as the body of a request, or by their address.
#include "agent/knowledge/collections.hpp"
#include "agent/knowledge/documents.hpp"
#include "base/json/json.hpp"
#include "base/json/nul.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/knowledge_inputs.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/knowledge_adding.hpp"
#include "server/views/knowledge_json.hpp"

#include <fmt/format.h>

#include <memory>

namespace postrider::api {

namespace {

namespace knowledge = agent::knowledge;

net::http_response no_document(std::int64_t id) {
    return net::http_response::problem(
        404, "not_found", fmt::format("there is no document {}", id)
    );
}

std::int64_t path_document(net::http_request const& request, inputs& mistakes_to) {
    auto const id = id_from(request.param("id"));
    if (!id) mistakes_to.mistake("the document's id in the path is not a positive integer");
    return id.value_or(0);
}

// The collection of the path, and what is done with it.
work in_collection(
    std::string name,
    std::function<net::http_response(storage::transaction& tx, std::int64_t collection)> act
) {
    return [name = std::move(name), act = std::move(act)](storage::transaction& tx) {
        auto const id = knowledge::collection_id(tx, name);
        return id ? act(tx, *id) : no_collection(name);
    };
}

planned list_documents(net::http_request const& request) {
    parameters query(request);
    auto const name = path_text(request, "name", query);
    knowledge::document_filter filter;
    filter.after = query.integer("after", 0, largest_number).value_or(0);
    filter.limit = read_limit(query);
    filter.search = query.text("search").value_or("");
    if (auto const word = query.text("state")) {
        filter.state = knowledge::document_state_from_string(*word);
        if (!filter.state) query.mistake("state is not reading, ready or failed");
    }
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return in_collection(name, [filter](storage::transaction& tx, std::int64_t collection) {
        auto const page = knowledge::list_documents(tx, collection, filter);
        return json_answer(200, server::documents_json(page, filter.limit));
    });
}

void note_problem(inputs& input, std::string problem) {
    if (!problem.empty()) input.mistake(std::move(problem));
}

void take_metadata(
    boost::json::value const& value, inputs& input, knowledge::new_document& document
) {
    if (!value.is_object()) return input.mistake("metadata is no JSON object");
    document.metadata = value.get_object();
    note_problem(input, server::problem_of_metadata(document.metadata));
}

net::http_response added_answer(
    storage::transaction& tx, std::int64_t collection, knowledge::added_document const& added
) {
    auto const stored = knowledge::find_document(tx, collection, added.id);
    auto body = server::document_json(*stored);
    if (added.unchanged) body["unchanged"] = true;
    return json_answer(added.unchanged ? 200 : 202, body);
}

planned add_to(std::string const& collection, std::shared_ptr<knowledge::new_document> document) {
    return in_collection(collection, [=](storage::transaction& tx, std::int64_t id) {
        document->collection = id;
        auto const added = knowledge::add_document(tx, *document);
        return added ? added_answer(tx, id, *added) : no_collection(collection);
    });
}

// {"url", "metadata"?}
planned add_address(net::http_request const& request) {
    members body(request);
    auto const collection = path_text(request, "name", body);
    auto const document = std::make_shared<knowledge::new_document>();
    document->url = body.required_text("url", knowledge::longest_source);
    document->name = document->url;
    if (!document->url.empty()) note_problem(body, server::problem_of_address(document->url));
    if (auto const metadata = body.json("metadata")) take_metadata(*metadata, body, *document);
    if (auto const wrong = body.mistakes(); !wrong.empty()) return invalid(wrong);
    return add_to(collection, document);
}

planned add_document(net::http_request const& request) {
    parameters query(request);
    auto const name = query.text("name");
    auto const metadata = query.text("metadata", knowledge::most_metadata_bytes);
    auto const media_type = request.headers.find("Content-Type");
    bool const may_be_json = media_type.empty() || media_type.starts_with("application/json");
    if (!name && may_be_json) return add_address(request);
    auto const collection = path_text(request, "name", query);
    auto const document = std::make_shared<knowledge::new_document>();
    document->name = name.value_or("");
    note_problem(query, server::problem_of_document_name(document->name));
    auto const type = media_type.substr(0, knowledge::longest_media_type);
    document->media_type = base::storable(std::string(type));
    if (metadata) {
        auto const value = base::parse_json(*metadata);
        take_metadata(value ? *value : boost::json::value(), query, *document);
    }
    if (request.body.empty()) query.mistake("the body is empty: it is the file");
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    document->bytes = request.body;
    return add_to(collection, document);
}

planned show_document(net::http_request const& request) {
    parameters query(request);
    auto const name = path_text(request, "name", query);
    auto const id = path_document(request, query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return in_collection(name, [id](storage::transaction& tx, std::int64_t collection) {
        auto const stored = knowledge::find_document(tx, collection, id);
        return stored ? json_answer(200, server::document_json(*stored)) : no_document(id);
    });
}

planned list_parts(net::http_request const& request) {
    parameters query(request);
    auto const name = path_text(request, "name", query);
    auto const id = path_document(request, query);
    auto const after = query.integer("after", 0, largest_number).value_or(0);
    int const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return in_collection(name, [=](storage::transaction& tx, std::int64_t collection) {
        if (!knowledge::find_document(tx, collection, id)) return no_document(id);
        auto const page = knowledge::list_parts(tx, id, after, limit);
        return json_answer(200, server::parts_json(page, limit));
    });
}

planned remove_document(net::http_request const& request) {
    parameters query(request);
    auto const name = path_text(request, "name", query);
    auto const id = path_document(request, query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return in_collection(name, [id](storage::transaction& tx, std::int64_t collection) {
        if (!knowledge::find_document(tx, collection, id)) return no_document(id);
        knowledge::remove_document(tx, id);
        return net::http_response::empty(204);
    });
}

} // namespace

std::vector<endpoint> document_endpoints(resources const&) {
    std::string const documents = "/api/v1/collections/{name}/documents";
    std::string const single = documents + "/{id}";
    endpoint list{"GET", documents, in_a_transaction(list_documents)};
    endpoint take{"POST", documents, in_a_transaction(add_document)};
    take.body_limit = knowledge::most_document_bytes;
    endpoint show{"GET", single, in_a_transaction(show_document)};
    endpoint parts{"GET", single + "/parts", in_a_transaction(list_parts)};
    endpoint remove{"DELETE", single, in_a_transaction(remove_document)};
    return {list, take, show, parts, remove};
}

} // namespace postrider::api
