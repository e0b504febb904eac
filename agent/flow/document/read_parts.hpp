#pragma once
// The parts of a definition, each read in a file of its own. A part that is not fit comes back as
// far as it was read; the list says what is wrong with it. For definition.cpp.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/document/form.hpp"

#include <algorithm>

namespace postrider::agent::flow {

// Of the flow's name, and of other flows that it names.
inline constexpr text_rule flow_name{
    .most = 63,
    .fits =
        [](std::string_view text) {
            return made_of_word_characters(text) && text.front() != '_' && text.front() != '-' &&
                   std::ranges::none_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
        },
    .description = "of a-z, 0-9, \"_\" and \"-\", the first a letter or a digit",
};

std::vector<node> read_nodes(boost::json::array const& list, gaps& unread, problem_list& problems);
std::vector<connection> read_connections(
    boost::json::array const& list,
    std::vector<node> const& nodes,
    gaps& unread,
    problem_list& problems
);
// Members that nothing runs by, in the document as they stand.
void read_canvas_notes(boost::json::array const& list, problem_list& problems);
void read_pinned(boost::json::object const& pinned, problem_list& problems);
settings read_settings(boost::json::object const& object, problem_list& problems);

} // namespace postrider::agent::flow
