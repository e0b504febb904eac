#pragma once
// Collections and documents, as the API and the command line show them. Pure.
#include "agent/knowledge/collection.hpp"
#include "agent/knowledge/document.hpp"
#include "agent/knowledge/search.hpp"

#include <boost/json/object.hpp>

#include <vector>

namespace postrider::server {

boost::json::object collection_json(agent::knowledge::stored_collection const& collection);
boost::json::object collections_json(
    std::vector<agent::knowledge::stored_collection> const& collections
);
boost::json::object document_json(agent::knowledge::stored_document const& document);
// A page of at most `limit`, and where the next one begins.
boost::json::object documents_json(
    std::vector<agent::knowledge::stored_document> const& page, int limit
);
boost::json::object parts_json(std::vector<agent::knowledge::shown_part> const& page, int limit);
// `degraded`: the words alone were searched.
boost::json::object results_json(
    std::vector<agent::knowledge::part_result> const& results, bool degraded
);

} // namespace postrider::server
