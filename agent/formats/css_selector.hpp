#pragma once
// CSS selectors over the tree of a page: type, *, #id, .class, [attribute] with = ~= |= ^= $= *= and the
// flag i, descendants, children (>), the next sibling (+), later siblings (~), lists with commas, and the
// pseudo-classes first-child, last-child, only-child, nth-child(), nth-last-child(), first-of-type,
// last-of-type, only-of-type, nth-of-type(), nth-last-of-type(), empty, root, not(), is() and has(). Pure.
#include "agent/formats/html_tree.hpp"
#include "agent/formats/work_budget.hpp"

#include <memory>

namespace postrider::agent::formats {

inline constexpr std::size_t most_selector_bytes = 1000;

class css_selector {
public:
    // invalid: the detail says what is not understood, and where.
    static base::result<css_selector> parse(std::string_view text);

    // The elements in the order of the page, at most so many. too_large: the page and the selector are
    // too much work together, or for what earlier selectors left of the budget.
    base::result<std::vector<std::size_t>> select(
        html_tree const& tree, std::size_t most, work_budget& budget
    ) const;

    struct selector_list;

private:
    explicit css_selector(std::shared_ptr<selector_list const> list) : list_(std::move(list)) {}

    std::shared_ptr<selector_list const> list_;
};

} // namespace postrider::agent::formats
