#include "server/views/knowledge_json.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

namespace json = boost::json;
namespace knowledge = agent::knowledge;

namespace {

json::object access_json(knowledge::collection_access const& access) {
    json::object object{{"people", knowledge::to_string(access.people)}};
    if (access.flows) object["flows"] = json::array(access.flows->begin(), access.flows->end());
    return object;
}

} // namespace

json::object collection_json(knowledge::stored_collection const& collection) {
    return {
        {"name", collection.name},
        {"description", collection.description},
        {"documents", collection.documents},
        {"parts", collection.parts},
        {"bytes", collection.bytes},
        {"access", access_json(collection.access)},
        {"embedded", collection.embedded},
        {"created_at", collection.created_at},
        {"updated_at", collection.updated_at}};
}

json::object collections_json(std::vector<knowledge::stored_collection> const& collections) {
    json::array list;
    for (auto const& collection : collections) list.push_back(collection_json(collection));
    return {{"collections", std::move(list)}};
}

json::object document_json(knowledge::stored_document const& document) {
    json::object object{
        {"id", document.id},
        {"name", document.name},
        {"source", document.source},
        {"media_type", document.media_type},
        {"bytes", document.bytes},
        {"title", document.title},
        {"pages", nullptr},
        {"parts", document.parts},
        {"parts_done", document.parts_done},
        {"embedded", document.embedded},
        {"state", knowledge::to_string(document.state)},
        {"job", nullptr},
        {"metadata", document.metadata},
        {"created_at", document.created_at},
        {"updated_at", document.updated_at}};
    if (document.pages) object["pages"] = *document.pages;
    if (document.job != job_id{}) object["job"] = base::raw(document.job);
    if (auto const& error = document.error)
        object["error"] = json::object{{"code", error->code}, {"message", error->message}};
    return object;
}

json::object documents_json(std::vector<knowledge::stored_document> const& page, int limit) {
    json::array list;
    for (auto const& document : page) list.push_back(document_json(document));
    json::object body{{"documents", std::move(list)}};
    if (std::ssize(page) >= limit) body["next"] = std::to_string(page.back().id);
    return body;
}

json::object parts_json(std::vector<knowledge::shown_part> const& page, int limit) {
    json::array list;
    for (auto const& part : page) {
        json::object object{
            {"number", part.number},
            {"heading", part.heading},
            {"page", nullptr},
            {"text", part.text}};
        if (part.page) object["page"] = *part.page;
        list.push_back(std::move(object));
    }
    json::object body{{"parts", std::move(list)}};
    if (std::ssize(page) >= limit) body["next"] = std::to_string(page.back().number);
    return body;
}

json::object results_json(std::vector<knowledge::part_result> const& results, bool degraded) {
    json::array list;
    for (auto const& result : results) list.push_back(knowledge::to_json(result));
    json::object body{{"results", std::move(list)}};
    if (degraded) body["degraded"] = true;
    return body;
}

} // namespace postrider::server
