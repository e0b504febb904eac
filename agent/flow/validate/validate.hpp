#pragma once
// The one validator: command line and API list the same problems. Pure, total, and quick:
// 500 nodes take some milliseconds.
#include "agent/flow/catalog.hpp"
#include "agent/flow/document/definition.hpp"

#include <functional>
#include <map>

namespace postrider::agent::flow {

// What a definition refers to outside itself.
struct validation_context {
    using name_list = std::vector<std::string>;

    // By reference (agent/flow/validate/references.hpp). If there are none, names are not checked.
    std::map<std::string, name_list, std::less<>> names = {};
    // Of each model: the providers as whose it can be asked.
    std::map<std::string, name_list, std::less<>> providers = {};
    // False: the configuration names nobody who decides about calls with a high risk.
    bool has_approvers = true;
    // The full name of a model that takes no tools, by an entry and the provider's name of a model ("" = the entry's);
    // "" = it takes them, or nothing is known of it. Without the function nothing is known of any.
    std::function<std::string(std::string const& entry, std::string_view model)> toolless_model =
        {};

    name_list const& names_of(std::string_view reference) const;
};

// A rule that came when flows had been published already refuses what is published from then on. A
// flow that was published before still becomes a graph, and runs as it did.
enum class purpose { publishing, running };

// Every problem of a definition that was read, at most definition_limits::problems of them: unknown
// types, parameters (missing, of the wrong kind, unknown), ports and their cardinalities, cycles,
// duplicate tool names, expressions with their columns, unknown names in $node["…"], a flow that
// nothing can start, nodes that nothing reaches (a warning). docs/flows.md lists the codes. Of a
// disabled node, what only concerns itself is a warning.
std::vector<problem> validate(
    definition const& flow,
    catalog const& types,
    validation_context const& context = {},
    flow::purpose purpose = purpose::publishing
);

// A text and everything that is wrong with it. Where its form is wrong, what could be read of it is
// validated nevertheless, without what only follows from the rest. It is for publishing.
struct examination {
    std::optional<definition> flow; // only where nothing is wrong with its form
    std::vector<problem> problems;
};
examination examine(
    std::string_view text, catalog const& types, validation_context const& context = {}
);

} // namespace postrider::agent::flow
