#include "agent/flow/nodes/knowledge_lookup.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr base::duration search_deadline{std::chrono::seconds{10}};

// Without it the words are searched.
base::awaitable<std::optional<base::error>> add_vector_of(
    knowledge::part_question& question, text_vectors const& vector_of
) {
    if (!vector_of || question.text.empty()) co_return std::nullopt;
    auto vector = co_await vector_of(question.text);
    if (!vector) co_return vector.error();
    question.vector = std::move(*vector);
    co_return std::nullopt;
}

} // namespace

knowledge_question knowledge_question_from(json::object const& parameters) {
    knowledge_question question;
    question.collection = parameters.at("collection").as_string();
    question.limit = static_cast<int>(parameters.at("limit").to_number<std::int64_t>());
    question.least_score = parameters.at("least_score").to_number<double>() / 100;
    question.least_similarity = parameters.at("least_similarity").to_number<double>() / 100;
    question.filter = parameters.at("filter").as_object();
    return question;
}

base::awaitable<base::result<knowledge_answer>> look_up_knowledge(
    node_services const& services,
    knowledge_reader reader,
    knowledge_question question,
    text_vectors vector_of
) {
    auto const collection =
        co_await knowledge::find_searched(services.reads, question.collection, search_deadline);
    if (!collection) co_return collection.error();
    if (!*collection)
        co_return base::error(
            base::errc::not_found, "there is no collection " + question.collection
        );
    if (!knowledge::may_search((*collection)->access, reader.flow, reader.is_owner))
        co_return base::error(
            base::errc::refused,
            "the collection " + question.collection + " may not be searched here"
        );
    knowledge::part_question parts;
    parts.collection = (*collection)->id;
    parts.text = std::move(question.text);
    parts.filter = std::move(question.filter);
    parts.least_score = question.least_score;
    parts.least_similarity = question.least_similarity;
    parts.most = question.limit;
    knowledge_answer answer;
    answer.without_meaning = co_await add_vector_of(parts, vector_of);
    auto results =
        co_await knowledge::search_parts(services.reads, std::move(parts), search_deadline);
    if (!results) co_return results.error();
    answer.results = std::move(*results);
    co_return answer;
}

json::array cited(std::vector<knowledge::part_result> const& results) {
    json::array list;
    for (auto const& result : results) {
        auto object = knowledge::to_json(result);
        object["citation"] = "[" + knowledge::citation_of(result) + "]";
        list.push_back(std::move(object));
    }
    return list;
}

} // namespace postrider::agent::flow
