#include "agent/formats/css_selector.hpp"

#include "agent/formats/css_tests.hpp"
#include "agent/formats/html_events.hpp"
#include "base/ascii.hpp"

#include <algorithm>

namespace postrider::agent::formats {

namespace {

bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = 0; at < text.size() && !word.empty();) {
        if (is_html_space(text[at])) {
            ++at;
            continue;
        }
        auto end = at;
        while (end < text.size() && !is_html_space(text[end])) ++end;
        if (text.substr(at, end - at) == word) return true;
        at = end;
    }
    return false;
}

bool fits_value(css_attribute_test const& test, std::string_view text, std::string_view value) {
    switch (test.operation) {
    case '=':
        return text == value;
    case '~':
        return has_word(text, value);
    case '|':
        return text.starts_with(value) &&
               (text.size() == value.size() || text[value.size()] == '-');
    case '^':
        return !value.empty() && text.starts_with(value);
    case '$':
        return !value.empty() && text.ends_with(value);
    case '*':
        return !value.empty() && text.find(value) != text.npos;
    default:
        return true;
    }
}

class css_matcher {
public:
    css_matcher(html_tree const& tree, work_budget& budget) : tree_(tree), budget_(budget) {}

    bool is_over() const { return budget_.is_over(); }

    bool matches(css_selector::selector_list const& list, std::size_t element) {
        return std::ranges::any_of(list.selectors, [&](auto const& selector) {
            return matches(selector, selector.size() - 1, element);
        });
    }

private:
    // The compounds up to this one, of which the last is that of the element.
    bool matches(std::vector<css_compound> const& selector, std::size_t last, std::size_t element) {
        if (!fits(selector[last], element)) return false;
        if (last == 0) return true;
        auto const before = selector[last].before;
        bool const is_near =
            before == css_combinator::child || before == css_combinator::next_sibling;
        bool const is_above =
            before == css_combinator::child || before == css_combinator::descendant;
        auto place = element;
        do {
            place = is_above ? tree_[place].parent : tree_[place].previous;
            if (place == no_node || is_over()) return false;
            if (matches(selector, last - 1, place)) return true;
        } while (!is_near);
        return false;
    }

    bool fits(css_compound const& compound, std::size_t element) {
        if (!budget_.spend(1)) return false;
        auto const& node = tree_[element];
        if (!compound.type.empty() && compound.type != node.name) return false;
        if (compound.is_root && node.parent != no_node) return false;
        if (compound.is_empty && node.end != element + 1) return false;
        return std::ranges::all_of(
                   compound.attributes, [&](auto const& test) { return fits(test, node); }
               ) &&
               std::ranges::all_of(
                   compound.positions, [&](auto const& test) { return fits(test, element); }
               ) &&
               std::ranges::all_of(compound.lists, [&](auto const& test) {
                   return fits(test.first, *test.second, element);
               });
    }

    bool fits(css_attribute_test const& test, html_node const& node) {
        if (!budget_.spend(node.attributes.size())) return false;
        auto const* value = node.attribute(test.name);
        if (!value || !budget_.spend_on(value->size() + test.value.size())) return false;
        // It may begin anywhere.
        if (test.operation == '*' && !budget_.spend_on(value->size() * test.value.size() / 16))
            return false;
        if (!test.any_case) return fits_value(test, *value, test.value);
        return fits_value(test, base::to_lower(*value), base::to_lower(test.value));
    }

    bool fits(css_position_test const& test, std::size_t element) {
        auto const distance = position_of(test, element) - test.offset;
        if (test.step == 0) return distance == 0;
        return distance % test.step == 0 && distance / test.step >= 0;
    }

    int position_of(css_position_test const& test, std::size_t element) {
        if (!test.of_type && !test.from_end) return tree_[element].position;
        int position = 1;
        for (auto place = element; budget_.spend(1);) {
            place = test.from_end ? tree_[place].next : tree_[place].previous;
            if (place == no_node) break;
            if (!test.of_type || tree_[place].name == tree_[element].name) ++position;
        }
        return position;
    }

    bool fits(css_list_test kind, css_selector::selector_list const& list, std::size_t element) {
        if (kind != css_list_test::within)
            return matches(list, element) == (kind == css_list_test::any);
        for (auto place = element + 1; place < tree_[element].end && budget_.spend(1); ++place)
            if (!tree_[place].name.empty() && matches(list, place)) return true;
        return false;
    }

    html_tree const& tree_;
    work_budget& budget_;
};

} // namespace

base::result<std::vector<std::size_t>> css_selector::select(
    html_tree const& tree, std::size_t most, work_budget& budget
) const {
    std::vector<std::size_t> found;
    css_matcher matcher(tree, budget);
    for (std::size_t place = 0; place < tree.size() && found.size() < most; ++place) {
        if (tree[place].name.empty() || !matcher.matches(*list_, place)) continue;
        found.push_back(place);
    }
    if (matcher.is_over())
        return base::error(
            base::errc::too_large, "the page is too large for its selectors: name a shorter way"
        );
    return found;
}

} // namespace postrider::agent::formats
