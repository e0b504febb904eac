#pragma once
// A workflow of n8n as its export has it: nodes, and the connections between them by index. Reads what it
// knows and leaves the rest; a text that is no such workflow, or has more nodes or connections than a flow of ours
// may have, is refused.
#include "agent/flow/document/problem.hpp"

#include <boost/json/object.hpp>
#include <boost/system/result.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::flow::n8n {

struct workflow_node {
    std::string name;
    std::string type; // as n8n has it: "n8n-nodes-base.if"
    double version = 1;
    std::optional<std::pair<double, double>> position = {};
    boost::json::object parameters = {};
    boost::json::object credentials = {};
    bool disabled = false;
    std::string notes = {};
    std::string on_error = {}; // continueRegularOutput, continueErrorOutput
    bool retries = false;
    double tries = 3;
    double delay = 1000; // milliseconds
    bool runs_once = false;

    // Behind its package: "if".
    std::string_view short_type() const;
    bool is_note() const { return short_type() == "stickyNote"; }
};

struct workflow_link {
    std::string kind; // "main", "ai_tool"
    std::size_t from = 0;
    std::size_t output = 0;
    std::size_t to = 0;
    std::size_t input = 0;
};

struct workflow {
    std::string name;
    std::vector<workflow_node> nodes;
    std::vector<workflow_link> links;
    boost::json::object pinned;   // items by a node's name
    boost::json::object settings; // timezone, executionTimeout

    // Of nodes and links, as they are now: what follows goes by it.
    void index();
    // The first node of that name.
    std::optional<std::size_t> find(std::string_view name) const;
    // The numbers of the links that lead to the node, and from it, ascending.
    std::vector<std::size_t> const& links_to(std::size_t node) const { return links_to_[node]; }
    std::vector<std::size_t> const& links_from(std::size_t node) const { return links_from_[node]; }
    // From which nodes a connection of that kind leads to the node, in their order.
    std::vector<std::size_t> feeders(std::size_t node, std::string_view kind) const;

private:
    std::map<std::string, std::size_t, std::less<>> by_name_;
    std::vector<std::vector<std::size_t>> links_to_;
    std::vector<std::vector<std::size_t>> links_from_;
};

// not_n8n, too_many_nodes, too_many_connections.
boost::system::result<workflow, problem> read_workflow(boost::json::value const& document);

} // namespace postrider::agent::flow::n8n

namespace postrider::agent::flow {
[[noreturn]] void throw_exception_from_error(
    problem const& problem, boost::source_location const& where
);
} // namespace postrider::agent::flow
