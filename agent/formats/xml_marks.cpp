#include "agent/formats/xml_marks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::formats {

namespace {

constexpr std::string_view comment_begin = "!--";
constexpr std::string_view cdata_begin = "![CDATA[";

} // namespace

base::error xml_mark_scanner::document_type_error() {
    return {base::errc::invalid, "documents with a DOCTYPE are not read"};
}

base::result<void> xml_mark_scanner::read(std::string_view piece) {
    for (std::size_t at = 0; at < piece.size(); ++at) {
        char const c = piece[at];
        base::result<void> outcome;
        switch (place_) {
        case place::text: {
            at = std::min(piece.find_first_of(std::string_view("<\0", 2), at), piece.size());
            if (at == piece.size()) return {};
            if (piece[at] == '\0') break;
            place_ = place::mark;
            matched_ = 0;
            continue;
        }
        case place::mark:
            outcome = read_mark(c);
            break;
        case place::tag:
            outcome = read_tag(c);
            break;
        case place::quote:
            if (c == quote_) place_ = place::tag;
            break;
        case place::comment:
            skip_to("-->", c);
            break;
        case place::cdata:
            skip_to("]]>", c);
            break;
        case place::instruction:
            skip_to("?>", c);
            break;
        }
        if (!outcome) return outcome;
        if (piece[at] == '\0') return base::error(base::errc::invalid, "U+0000 in the text");
    }
    return {};
}

// Behind a <.
base::result<void> xml_mark_scanner::read_mark(char c) {
    if (matched_ == 0 && c != '!') {
        place_ = c == '?' ? place::instruction : c == '>' ? place::text : place::tag;
        attributes_ = 0;
        return {};
    }
    if (matched_ == 1) beginning_ = c == '[' ? cdata_begin : comment_begin;
    if (matched_ > 0 && c != beginning_[matched_]) return document_type_error();
    if (++matched_ == 1 || matched_ < beginning_.size()) return {};
    place_ = beginning_ == comment_begin ? place::comment : place::cdata;
    matched_ = 0;
    return {};
}

base::result<void> xml_mark_scanner::read_tag(char c) {
    if (c == '>') place_ = place::text;
    if (c != '"' && c != '\'') return {};
    quote_ = c;
    place_ = place::quote;
    if (++attributes_ <= most_xml_attributes) return {};
    return base::error(
        base::errc::too_large,
        fmt::format("more than {} attributes of an element", most_xml_attributes)
    );
}

void xml_mark_scanner::skip_to(std::string_view end, char c) {
    // The ends begin with one character, repeated at most once.
    if (c == end[matched_])
        ++matched_;
    else if (!(matched_ == 2 && c == end[0] && end[1] == end[0]))
        matched_ = c == end[0] ? 1 : 0;
    if (matched_ < end.size()) return;
    place_ = place::text;
    matched_ = 0;
}

} // namespace postrider::agent::formats
