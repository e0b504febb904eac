#pragma once
// What differs between two versions of a flow, by what it means: nodes are the same when their ids
// are, and the order of members counts for nothing. Pure.
#include "agent/flow/document/definition.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

struct value_change {
    std::string path; // JSON Pointer into the node or the flow: "/parameters/model"
    std::optional<boost::json::value> before; // absent: it was added
    std::optional<boost::json::value> after;  // absent: it was removed
};

struct node_label {
    std::string id;
    std::string name;
    std::string type;
};

struct node_change {
    node_label node; // as it is afterwards
    std::vector<value_change> changes;
    bool layout_only = false; // only its position differs
};

struct connection_label {
    std::string type = std::string(main_connection);
    std::string from; // ids of nodes
    std::string output;
    std::string to;
    std::string input;

    auto operator<=>(connection_label const&) const = default;
};

struct flow_diff {
    std::vector<node_label> added;
    std::vector<node_label> removed;
    std::vector<node_change> changed;
    std::vector<connection_label> connected;
    std::vector<connection_label> disconnected;
    // Nodes or connections that both have stand in another order, which may be the order in which
    // things happen.
    bool reordered = false;
    std::vector<value_change> settings; // and whatever else the document holds beside nodes

    bool empty() const noexcept;
    // Something differs, but nothing that runs.
    bool layout_only() const noexcept;
};

flow_diff diff(definition const& before, definition const& after);

boost::json::object to_json(flow_diff const& difference);

// What stands around changed words.
struct change_marks {
    std::string_view removed_begin = "[-";
    std::string_view removed_end = "-]";
    std::string_view added_begin = "{+";
    std::string_view added_end = "+}";
};
inline constexpr change_marks terminal_colours{"\x1b[31m", "\x1b[0m", "\x1b[32m", "\x1b[0m"};

// The differences in whole; "" when there is none. Long values are shown with their changed words
// marked, each on lines of its own. Control characters of the flow are shown as '?'.
std::string to_text(flow_diff const& difference, change_marks const& marks = {});

} // namespace postrider::agent::flow
