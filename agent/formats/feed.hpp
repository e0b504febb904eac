#pragma once
// The entries of RSS 0.9 to 2.0, RDF, Atom and JSON Feed, in one form. Pure.
#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::formats {

inline constexpr std::size_t most_feed_entries = 500;
inline constexpr std::size_t longest_feed_text = 4000; // bytes of a title or a summary

struct feed_entry {
    std::string id;         // what the feed calls it, or else its link, or its title; never ""
    std::string title = {}; // without markup, as the summary
    std::string link = {};
    std::string published = {}; // ISO 8601 in UTC; "" = unknown
    std::string summary = {};
};

// In the order of the feed, an id once; entries beyond the bound are left out. invalid: the text is no
// feed; too_large: as of xml_to_json().
base::result<std::vector<feed_entry>> read_feed(std::string_view text);

} // namespace postrider::agent::formats
