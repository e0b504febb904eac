// Collections of documents: what they hold, and the search.
#include "agent/knowledge/collections.hpp"
#include "agent/knowledge/search.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "agent/recall/vectors.hpp"
#include "base/json/json.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/knowledge_inputs.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/knowledge_adding.hpp"
#include "server/views/knowledge_json.hpp"
#include "server/views/person_calls.hpp"
#include "storage/stores/audit.hpp"
#include "storage/transact.hpp"

namespace postrider::api {

namespace {

namespace knowledge = agent::knowledge;

planned list_collections(net::http_request const& request) {
    parameters query(request);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([](storage::transaction& tx) {
        return json_answer(200, server::collections_json(knowledge::list_collections(tx)));
    });
}

void read_description(members& body, knowledge::new_collection& collection) {
    auto const most = 4 * knowledge::longest_description;
    if (auto text = body.text("description", most)) collection.description = std::move(*text);
}

void read_access(members& body, knowledge::new_collection& collection) {
    auto const value = body.json("access");
    if (!value) return;
    auto access = server::access_from(*value);
    if (access)
        collection.access = std::move(*access);
    else
        body.mistake(access.error().detail);
}

planned create_collection(net::http_request const& request) {
    members body(request);
    knowledge::new_collection collection;
    collection.name = body.required_text("name");
    if (auto const problem = server::problem_of_collection_name(collection.name);
        !collection.name.empty() && !problem.empty())
        body.mistake(problem);
    read_description(body, collection);
    read_access(body, collection);
    if (auto const wrong = body.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([collection](storage::transaction& tx) {
        if (!knowledge::create_collection(tx, collection))
            return net::http_response::problem(
                409, "name_taken", "there is a collection " + collection.name
            );
        auto const stored = knowledge::find_collection(tx, collection.name);
        return json_answer(201, server::collection_json(*stored));
    });
}

planned show_collection(net::http_request const& request) {
    parameters query(request);
    auto const name = path_text(request, "name", query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([name](storage::transaction& tx) {
        auto const stored = knowledge::find_collection(tx, name);
        return stored ? json_answer(200, server::collection_json(*stored)) : no_collection(name);
    });
}

// What is not given stays.
planned change_collection(net::http_request const& request) {
    members body(request);
    auto const name = path_text(request, "name", body);
    knowledge::new_collection changed;
    auto const description = body.text("description", 4 * knowledge::longest_description);
    bool const has_access = body.json("access").has_value();
    read_access(body, changed);
    if (auto const wrong = body.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([=](storage::transaction& tx) {
        auto const stored = knowledge::find_collection(tx, name);
        if (!stored) return no_collection(name);
        knowledge::new_collection collection{name, stored->description, stored->access};
        if (description) collection.description = *description;
        if (has_access) collection.access = changed.access;
        knowledge::change_collection(tx, collection);
        auto const now = knowledge::find_collection(tx, name);
        return json_answer(200, server::collection_json(*now));
    });
}

planned remove_collection(net::http_request const& request) {
    parameters query(request);
    auto const name = path_text(request, "name", query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([name](storage::transaction& tx) {
        if (!knowledge::remove_collection(tx, name)) return no_collection(name);
        return net::http_response::empty(204);
    });
}

struct search_request {
    std::string collection;
    knowledge::part_question question;
    bool degraded = false;
};

constexpr std::chrono::seconds longest_question_embedding{3};

// On the caller's word, which the audit has. False: a budget is empty, or there is no such collection.
base::awaitable<bool> begin_question(
    call const& incoming, std::string collection, server::question_call asking
) {
    auto reserve = [asking = std::move(asking),
                    collection = std::move(collection),
                    actor = actor_of(incoming.by)](storage::transaction& tx) {
        if (!knowledge::collection_id(tx, collection)) return false;
        storage::act_as(tx, actor);
        return !server::begin_call(tx, asking, longest_question_embedding);
    };
    auto const is_reserved = co_await storage::transact(
        incoming.db, incoming.name, std::move(reserve), database_waits.read
    );
    bool const may_ask = is_reserved && *is_reserved;
    co_return may_ask;
}

// The vector of the question, where vectors are in use, paid as a call of a turn is; without it the words are searched.
base::awaitable<void> add_vector(
    agent::flow::node_services const& services, call const& incoming, search_request& asked
) {
    auto* const embedder = services.embedder;
    if (!embedder) co_return;
    server::spending_by_scope const no_limits;
    auto const& limits = services.budgets ? services.budgets->limits : no_limits;
    auto const asking = server::question_call_of(
        *embedder,
        "collection:" + asked.collection,
        asked.question.text,
        server::budgets_of_person(limits, incoming.by.user),
        services.random
    );
    asked.degraded = true;
    auto const is_reserved = co_await begin_question(incoming, asked.collection, asking);
    if (!is_reserved) co_return;
    std::vector<std::string> texts{asked.question.text};
    auto const embedded = co_await embedder->embed(std::move(texts), longest_question_embedding);
    auto settle = [=, actor = actor_of(incoming.by)](storage::transaction& tx) {
        storage::act_as(tx, actor);
        server::end_call(tx, asking, *embedder, embedded);
    };
    // What is not settled stays reserved for its time.
    (void)co_await incoming.db.run(incoming.name, std::move(settle), database_waits.read);
    if (!embedded) co_return;
    asked.question.vector = agent::recall::vector_text(embedded->vectors.front());
    asked.degraded = false;
}

void read_metadata_filter(parameters& query, knowledge::part_question& question) {
    auto const text = query.text("filter", 4'000);
    if (!text) return;
    auto const value = base::parse_json(*text);
    if (value && value->is_object())
        question.filter = value->get_object();
    else
        query.mistake("filter is no JSON object");
}

base::awaitable<net::http_response> search(
    agent::flow::node_services const* services, call incoming
) {
    parameters query(incoming.request);
    search_request asked;
    asked.collection = path_text(incoming.request, "name", query);
    asked.question.text = query.text("query", knowledge::longest_query).value_or("");
    if (asked.question.text.empty()) query.mistake("query is missing");
    asked.question.most =
        static_cast<int>(query.integer("limit", 1, knowledge::most_results).value_or(5));
    read_metadata_filter(query, asked.question);
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    if (services) co_await add_vector(*services, incoming, asked);
    auto const look = in_a_transaction([asked](net::http_request const&) -> planned {
        return work([asked](storage::transaction& tx) {
            auto const id = knowledge::collection_id(tx, asked.collection);
            if (!id) return no_collection(asked.collection);
            auto question = asked.question;
            question.collection = *id;
            auto const results = knowledge::search_parts(tx, question);
            return json_answer(200, server::results_json(results, asked.degraded));
        });
    });
    co_return co_await look(std::move(incoming));
}

} // namespace

net::http_response no_collection(std::string_view name) {
    return net::http_response::problem(
        404, "not_found", "there is no collection " + std::string(name)
    );
}

std::vector<endpoint> knowledge_endpoints(resources const& resources) {
    auto const* services = resources.executions ? &resources.executions->nodes : nullptr;
    auto const find = [services](call incoming) { return search(services, std::move(incoming)); };
    endpoint list{"GET", "/api/v1/collections", in_a_transaction(list_collections)};
    endpoint create{"POST", "/api/v1/collections", in_a_transaction(create_collection)};
    endpoint show{"GET", "/api/v1/collections/{name}", in_a_transaction(show_collection)};
    endpoint change{"PATCH", "/api/v1/collections/{name}", in_a_transaction(change_collection)};
    endpoint remove{"DELETE", "/api/v1/collections/{name}", in_a_transaction(remove_collection)};
    endpoint looking{"GET", "/api/v1/collections/{name}/search", find};
    return {list, create, show, change, remove, looking};
}

} // namespace postrider::api
