#pragma once
// Finds parts of documents in one collection: by their words and, with the vector of the question, by their
// meaning. Looks at nothing but the parts that answer, and never at another collection. Who may search is the
// caller's to ask (may_search).
#include "agent/knowledge/collection.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

inline constexpr int most_results = 50;
inline constexpr std::size_t longest_query = 4'000; // what is behind it is not looked for

// Of the vectors of a question and a part that answers it: others are less alike. 0 to 1.
inline constexpr double default_least_similarity = 0.3;

struct part_question {
    std::int64_t collection = 0;
    std::string text;
    std::string vector = {};         // as recall::vector_text() writes it; "" = by words alone
    boost::json::object filter = {}; // members that a document's metadata has
    double least_score = 0;          // 0 to 1
    double least_similarity = default_least_similarity; // of parts without a word of the question
    int most = 5;
};

struct part_result {
    std::string text;
    double score = 0; // 0 to 1
    std::int64_t document_id = 0;
    std::string document; // its name
    std::optional<std::int64_t> page = {};
    std::string heading = {};
    std::string source = {};
    boost::json::object metadata = {};
};

// Best first. Fails as batcher::commit().
base::awaitable<base::result<std::vector<part_result>>> search_parts(
    storage::batcher& reads, part_question question, base::duration deadline
);
// The same for people. Throws as transaction::query() does.
std::vector<part_result> search_parts(storage::transaction& tx, part_question const& question);

struct searched_collection {
    std::int64_t id = 0;
    collection_access access = {};
};
// Nothing: there is none. Fails as batcher::commit().
base::awaitable<base::result<std::optional<searched_collection>>> find_searched(
    storage::batcher& reads, std::string name, base::duration deadline
);

// How an answer names where it stands: "report.pdf, page 3".
std::string citation_of(part_result const& result);
// As the API, flows and models read it: {"text", "score", "document", "page"?, "heading"?, "source",
// "document_id", "metadata"}.
boost::json::object to_json(part_result const& result);

} // namespace postrider::agent::knowledge
