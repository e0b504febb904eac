#pragma once
// XML as JSON and back. Pure.
//
//     <order id="7"><item>Tea</item><item>Cake</item></order>
//     {"order": {"@id": "7", "item": ["Tea", "Cake"]}}
//
// An element without attributes and elements is its text. Others are objects: attributes have an @ before
// their names, elements of the same name form an array, and text among them is "#text". The order of
// elements with different names is lost, and so are comments and processing instructions. Names keep their
// prefixes.
//
// Documents with a DOCTYPE are refused, so there are no entities but those of XML itself, and nothing is
// loaded. The bounds below hold for what is read.
#include "agent/formats/xml_marks.hpp"
#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <span>
#include <string>
#include <string_view>

namespace postrider::agent::formats {

inline constexpr std::size_t most_xml_bytes = 1u << 20;
inline constexpr std::size_t most_xml_nodes = 100'000; // elements and attributes
inline constexpr std::size_t most_xml_levels = 30;

// The text is UTF-8, whatever its declaration says. Elements with these names are arrays, even if there is
// only one. invalid: not well-formed, with the line; too_large: beyond the bounds.
base::result<boost::json::value> xml_to_json(
    std::string_view text, std::span<std::string const> lists = {}
);

// Of an object with one member, the root. invalid: a name or a character that XML does not have.
base::result<std::string> json_to_xml(boost::json::value const& document);

} // namespace postrider::agent::formats
