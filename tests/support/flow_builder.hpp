#pragma once
// Builds the document of a flow, node by node.
//
//     auto const order = flow_builder("order")
//                            .trigger("In", "telegram.message")
//                            .agent("Ask", {{"prompt", "{{ $json.text }}"}})
//                            .part("Sum", "tool.calculator")
//                            .node("Large?", "if", {{"condition", "{{ $json.n > 10 }}"}})
//                            .after("Large?", "true")
//                            .node("Send", "telegram.send", {{"text", "{{ $json.text }}"}})
//                            .text();
//
// Calls refer to nodes by name. The id of a node is its name in lower case, with "_" for each space
// and without other signs: "Large?" has the id "large". The document keeps the order of the calls,
// for nodes and for connections. The builder checks nothing. Where ways meet, the order of the
// connections is the order of the items, so continue after the first way and connect the others.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <map>
#include <string>
#include <string_view>

namespace postrider::tests {

class flow_builder {
public:
    explicit flow_builder(std::string_view name);

    flow_builder& description(std::string_view text);

    flow_builder& settings(boost::json::object settings);

    // A node without a connection from the nodes before it.
    flow_builder& trigger(
        std::string_view name, std::string_view type, boost::json::object parameters = {}
    );

    // A node that follows the current node. It becomes the current node, as a trigger does.
    flow_builder& node(
        std::string_view name, std::string_view type, boost::json::object parameters = {}
    );

    // The same for an agent. All agents of a flow share one "Model" without parameters.
    flow_builder& agent(std::string_view name, boost::json::object parameters = {});

    // A model, memory or tool of the current node, by the first word of its type.
    flow_builder& part(
        std::string_view name, std::string_view type, boost::json::object parameters = {}
    );

    // One more member of the last node or part, for example "on_error".
    flow_builder& with(std::string_view member, boost::json::value value);

    // Makes a node the current node again. The next node follows this output.
    flow_builder& after(std::string_view name, std::string_view output = "");

    // One more connection. A part supplies the node.
    flow_builder& connect(std::string_view from, std::string_view to, std::string_view output = "");

    std::string text() const;

private:
    void add(std::string_view name, std::string_view type, boost::json::object parameters);

    boost::json::object document_;
    boost::json::array nodes_;
    boost::json::array connections_;
    std::map<std::string, std::string, std::less<>> kinds_; // of the connections of parts, by name
    std::string current_;
    std::string output_; // of the current node, for the next node
};

} // namespace postrider::tests
