#pragma once
// Private to agent/models: what a model thinks aloud before its answer, between tags
// (<think>…</think>) or in a channel of its own (<|channel|>analysis), as servers without a parser for it
// pass it on. It is no part of the answer. Pure.
#include <string>
#include <string_view>
#include <utility>

namespace postrider::agent::wire {

// Of a text that comes in pieces, what may be shown.
class thought_filter {
public:
    // What is known to belong to the answer by now. A text that may be the beginning of a tag waits.
    std::string pass(std::string_view piece);
    // Whether all that was passed before the last piece's text was thought, as a closing tag whose opening
    // one the template wrote says only then. That text stands in its place. True once.
    bool takes_back() { return std::exchange(takes_back_, false); }
    // The rest, at the end of the text.
    std::string finish();

private:
    std::string show(std::string text);

    std::string unread_;
    std::string shown_;           // of an answer that may yet turn out to be thoughts
    std::string_view closing_;    // of the tag that is open; "" = none is
    std::string_view header_end_; // to be found behind that; "" = nothing is
    bool has_dropped_ = false;
    bool has_header_ = false; // the answer may end with a mark
    bool answers_ = false;    // the answer has begun
    bool takes_back_ = false;
};

// The text without what was thought. Some templates write the opening tag themselves: then all up to the closing
// tag was thought, unless the text only speaks of that tag.
std::string without_thoughts(std::string_view text);

} // namespace postrider::agent::wire
