#pragma once
// A search of a collection, as a tool and a node do it: by words and, where embeddings are in use, by meaning.
//
// Guarantees that an execution searches no collection that its flow, and whoever it answers, may not search.
#include "agent/flow/parts/services.hpp"
#include "agent/knowledge/search.hpp"
#include "agent/tools/tool_context.hpp"

#include <boost/json/array.hpp>

#include <optional>
#include <string>

namespace postrider::agent::flow {

// The parameters that both have, checked: collection, limit, least_score and least_similarity (0 to 100), and filter.
struct knowledge_question {
    std::string collection;
    std::string text = {};
    boost::json::object filter = {};
    double least_score = 0; // 0 to 1
    double least_similarity = knowledge::default_least_similarity;
    int limit = 5;
};
knowledge_question knowledge_question_from(boost::json::object const& parameters);

struct knowledge_reader {
    std::string flow;
    bool is_owner = false; // of the bot, who asks
};

struct knowledge_answer {
    std::vector<knowledge::part_result> results = {};
    std::optional<base::error> without_meaning = {}; // why the words alone were searched
};

// not_found: there is no such collection; refused: it may not be searched here. Words are for people and models.
// `vector_of` makes the query's vector, and pays for it.
base::awaitable<base::result<knowledge_answer>> look_up_knowledge(
    node_services const& services,
    knowledge_reader reader,
    knowledge_question question,
    text_vectors vector_of
);

// A list of what knowledge::to_json() has, each with "citation": "[report.pdf, page 3]".
boost::json::array cited(std::vector<knowledge::part_result> const& results);

} // namespace postrider::agent::flow
