// What agents remember for long, of people and groups.
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/memory_json.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

namespace recall = agent::recall;

// In the path; a mistake otherwise.
std::int64_t path_memory(net::http_request const& request, inputs& mistakes_to) {
    auto const id = id_from(request.param("id"));
    if (!id) mistakes_to.mistake("the memory's id in the path is not a positive integer");
    return id.value_or(0);
}

net::http_response no_memory(std::int64_t id) {
    return net::http_response::problem(404, "not_found", fmt::format("there is no memory {}", id));
}

planned list_memories(net::http_request const& request) {
    parameters query(request);
    recall::memory_filter filter;
    if (auto const user = query.integer("user", 1, largest_number)) filter.user = user_id{*user};
    if (auto const chat = query.integer("chat", -largest_number, -1)) filter.chat = chat_id{*chat};
    if (auto const bot = query.integer("bot", 0, largest_number)) filter.bot = bot_id{*bot};
    if (auto const word = query.text("kind")) {
        filter.kind = recall::memory_kind_from_string(*word);
        if (!filter.kind) query.mistake("kind is not note, fact or summary");
    }
    filter.below = read_id_cursor(query).value_or(0);
    filter.limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([filter](storage::transaction& tx) {
        auto const page = recall::list_memories(tx, filter);
        return json_answer(200, server::memories_json(page, filter.limit));
    });
}

planned show_memory(net::http_request const& request) {
    parameters query(request);
    auto const id = path_memory(request, query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([id](storage::transaction& tx) {
        auto const shown = recall::find_memory(tx, id);
        return shown ? json_answer(200, server::whole_memory_json(*shown)) : no_memory(id);
    });
}

planned forget_memory(net::http_request const& request) {
    parameters query(request);
    auto const id = path_memory(request, query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([id](storage::transaction& tx) {
        if (!recall::forget_memory(tx, id)) return no_memory(id);
        return json_answer(200, {{"memory_id", id}});
    });
}

} // namespace

std::vector<endpoint> memory_endpoints(resources const&) {
    endpoint list{"GET", "/api/v1/memories", in_a_transaction(list_memories)};
    endpoint show{"GET", "/api/v1/memories/{id}", in_a_transaction(show_memory)};
    endpoint forget{"DELETE", "/api/v1/memories/{id}", in_a_transaction(forget_memory)};
    return {std::move(list), std::move(show), std::move(forget)};
}

} // namespace postrider::api
