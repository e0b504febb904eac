#pragma once
// A page as the elements and texts that a browser would find in it. Pure.
#include "base/error.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::formats {

inline constexpr std::size_t most_html_bytes = 1u << 20;
inline constexpr std::size_t most_html_nodes = 100'000;

inline constexpr std::size_t no_node = static_cast<std::size_t>(-1);

struct html_node {
    std::string name; // in lower case; "" = a text
    std::string text = {};
    std::vector<std::pair<std::string, std::string>> attributes = {};
    std::size_t parent = no_node;
    std::size_t end = 0;            // behind the last node within this one
    std::size_t previous = no_node; // element with the same parent, before this one
    std::size_t next = no_node;
    int position = 1; // among the elements with the same parent

    // Null: it has none of that name.
    std::string const* attribute(std::string_view key) const noexcept;
};

// In the order of the page: a node stands before those within it.
using html_tree = std::vector<html_node>;

// too_large: beyond the bounds above. A page has no other mistakes.
base::result<html_tree> read_html(std::string_view page);

// Which nodes are left out, with all within them: by their places in the tree, ascending.
using left_out = std::vector<std::size_t>;

// As people read it: without scripts and styles, with one space for each run of spaces and line ends.
std::string text_within(html_tree const& tree, std::size_t element, left_out const& without = {});
// The markup between the element's tags.
std::string html_within(html_tree const& tree, std::size_t element, left_out const& without = {});

} // namespace postrider::agent::formats
