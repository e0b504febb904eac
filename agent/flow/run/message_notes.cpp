#include "agent/flow/run/message_notes.hpp"

#include "base/json/text.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

std::string notes_on(heard_message const& heard) {
    std::string notes;
    if (!heard.attachment.empty())
        notes = fmt::format(
            "(The message came with something that you cannot see: {}. Say so, and do not guess "
            "its "
            "content.)",
            heard.attachment
        );
    if (!heard.replied) return notes;
    auto const& replied = *heard.replied;
    std::string author = "somebody else";
    if (replied.own)
        author = "yours";
    else if (replied.user == heard.user)
        author = "the same person";
    else if (!replied.name.empty())
        author = base::json_text(boost::json::value(replied.name));
    return notes.append(notes.empty() ? "" : "\n\n")
        .append(fmt::format(
            "(The message replies to this earlier message of {}: {})",
            author,
            base::json_text(boost::json::value(replied.text))
        ));
}

} // namespace postrider::agent::flow
