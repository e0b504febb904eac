#pragma once
// A workflow of n8n as a draft of ours (docs/n8n.md). Pure and total: whatever the text, it ends; what is no
// workflow is refused, and what of one has no counterpart is a problem of the draft.
#include "agent/flow/catalog.hpp"
#include "agent/flow/document/problem.hpp"

#include <boost/json/object.hpp>
#include <boost/system/result.hpp>

#include <string_view>
#include <vector>

namespace postrider::agent::flow::n8n {

// What was in a workflow, and what became of it.
struct import_counts {
    std::size_t nodes = 0;
    std::size_t notes = 0;
    std::size_t code = 0;
    std::size_t vendor = 0;        // of a service of somebody else's
    std::size_t vendor_mapped = 0; // of these
    std::size_t common = 0;        // all others
    std::size_t common_mapped = 0; // of these
    std::size_t expressions = 0;   // of all nodes but notes
    std::size_t converted = 0;
};

struct imported_draft {
    boost::json::object document;
    // What a person should look at; an error where something was not converted. Of the import alone: the
    // validator has its own list.
    std::vector<problem> problems;
    import_counts counts = {};
};

// not_n8n, not_json, too_large, too_deep, too_many_nodes, too_many_connections. Node types that the catalog does not have become placeholders.
boost::system::result<imported_draft, problem> import_workflow(
    std::string_view text, catalog const& types
);

// The codes of the problems that an import has, as docs/n8n.md lists them.
std::span<problem_code const> import_codes() noexcept;

boost::json::object to_json(import_counts const& counts);

} // namespace postrider::agent::flow::n8n
