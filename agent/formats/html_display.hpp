#pragma once
// How a browser shows the elements of a page by their names and attributes. Pure.
#include "agent/formats/html_events.hpp"

#include <string_view>

namespace postrider::agent::formats {

// The value of an attribute; "" = there is none.
std::string_view attribute_of(html_attributes const& attributes, std::string_view name);

// Scripts, styles, pictures and controls: their contents are no text.
bool is_unread_element(std::string_view name);
// By its attributes.
bool is_hidden_element(html_attributes const& attributes);

// Line ends at least between the element and what stands before or after it: 2 for a paragraph, 1 for a line, 0 within
// a line.
int line_ends_around(std::string_view name);

// 1 to 6 of h1 to h6; 0 = no heading.
int heading_level(std::string_view name);

} // namespace postrider::agent::formats
