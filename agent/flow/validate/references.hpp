#pragma once
// Names in parameters that stand for something elsewhere: {"x-reference": "model"}. Each kind is one value
// in the table of references.cpp. The validator reports a name that does not exist, if it knows the
// names (validation_context). GET /api/v1/options/{reference} offers them.
#include "agent/flow/validate/validate.hpp"
#include "storage/database.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

struct option {
    std::string name;
    std::string title = {}; // for people, where it adds to the name
};

// A page of options, by name.
struct option_query {
    std::string search = {}; // within the name or the title, in any case of letters
    std::string after = {};  // the last name of the page before
    int limit = 50;
};

struct reference {
    std::string_view name; // as the mark has it
    std::string_view noun; // for people: "there is no NOUN of this name"
    std::string_view plural;
    // How to get the first one, as a sentence, for a list that is empty.
    std::string_view first;
    // What the problem's code unknown_NAME means, as docs/flows.md lists it. Empty: the validator is told
    // no names of it.
    std::string_view unknown = {};
    // The flow that is validated is one of them, though nobody means it by a name with a slip.
    bool includes_flow_itself = false;
    // Throws as transaction::query() does. Never a secret's value.
    std::vector<option> (*options
    )(storage::transaction& tx, validation_context const& context, option_query const& query
    ) = nullptr;
};

std::span<reference const> references() noexcept; // by name

// The code of the problem that there is nothing of a name.
inline std::string unknown_code(reference const& of) {
    return "unknown_" + std::string(of.name);
}

// Null: there is none.
inline reference const* find_reference(std::string_view name) noexcept {
    auto const place = std::ranges::find(references(), name, &reference::name);
    return place == references().end() ? nullptr : &*place;
}

} // namespace postrider::agent::flow
