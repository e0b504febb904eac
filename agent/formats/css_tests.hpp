#pragma once
// What a CSS selector consists of, as it was parsed.
#include "agent/formats/css_selector.hpp"

#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::formats {

enum class css_combinator { descendant, child, next_sibling, later_sibling };

struct css_attribute_test {
    std::string name;
    char operation = 0; // 0: it is there; =, or the sign before =
    std::string value = {};
    bool any_case = false;
};

// The an+b-th of its siblings.
struct css_position_test {
    int step = 0;
    int offset = 1;
    bool of_type = false;
    bool from_end = false;
};

enum class css_list_test { any, none, within };

struct css_compound {
    css_combinator before =
        css_combinator::descendant; // what leads from the compound before it to this
    std::string type = {};          // "" = any
    std::vector<css_attribute_test> attributes = {};
    std::vector<css_position_test> positions = {};
    bool is_empty = false;
    bool is_root = false;
    std::vector<std::pair<css_list_test, std::shared_ptr<css_selector::selector_list const>>>
        lists = {};
};

struct css_selector::selector_list {
    std::vector<std::vector<css_compound>> selectors; // each: from left to right
};

} // namespace postrider::agent::formats
