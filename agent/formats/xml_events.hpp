#pragma once
// An XML document as a sequence of beginnings, ends and texts, read in pieces of any size: memory does not grow with the
// document. Documents with a DOCTYPE are refused, so nothing is expanded and nothing is loaded. Pure.
#include "agent/formats/html_events.hpp"
#include "base/error.hpp"

#include <memory>
#include <string_view>

namespace postrider::agent::formats {

inline constexpr std::size_t most_xml_event_levels = 200;

class xml_events {
public:
    // The handler outlives the events. Names come without their prefixes: "p" of <w:p>, "val" of w:val="1".
    explicit xml_events(html_handler& handler);
    ~xml_events();
    xml_events(xml_events const&) = delete;
    xml_events& operator=(xml_events const&) = delete;

    // The next bytes, in UTF-8. invalid: not well-formed; too_large: nested too deep, or too many attributes. The
    // handler hears nothing after that.
    base::result<void> read(std::string_view piece);
    // To be called once, at the document's end.
    base::result<void> finish();

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace postrider::agent::formats
