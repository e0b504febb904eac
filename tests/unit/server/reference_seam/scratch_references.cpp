// A reference that is one value and one line in the table below, which stands in for the product's own:
// nothing else of the product is touched.
#include "agent/flow/validate/references.hpp"

#include <array>

namespace postrider::agent::flow {

namespace {

std::vector<option>
flow_options(storage::transaction&, validation_context const&, option_query const&) {
    return {};
}

std::vector<option> shelf_options(
    storage::transaction&, validation_context const& known, option_query const& query
) {
    std::vector<option> page;
    for (auto const& name : known.names_of("shelf"))
        if (name.find(query.search) != name.npos) page.push_back({name, "the " + name + " one"});
    return page;
}

constexpr std::array<reference, 2> scratch_references{{
    {.name = "flow", // which settings of flows have
     .noun = "flow",
     .plural = "flows",
     .first = "Publish one.",
     .options = flow_options},
    {.name = "shelf",
     .noun = "shelf",
     .plural = "shelves",
     .first = "Build one.",
     .unknown = "the library has no shelf of that name",
     .options = shelf_options},
}};

} // namespace

std::span<reference const> references() noexcept {
    return scratch_references;
}

} // namespace postrider::agent::flow
