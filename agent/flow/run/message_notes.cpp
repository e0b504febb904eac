#include "agent/flow/run/message_notes.hpp"

#include "agent/loop/untrusted_text.hpp"
#include "base/json/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

constexpr std::size_t longest_quoted = 200;

// What the person can send in its place.
constexpr std::string_view readable_files =
    " You can read plain text, Markdown, CSV, JSON and HTML files of 1 MiB at most.";

// `subject`: "The message", or an earlier one of those that are answered together.
std::string note_on(std::string_view attachment, std::string_view subject) {
    if (attachment.empty()) return {};
    auto note = fmt::format(
        "({} came with something that you cannot see: {}. Say so, and do not guess its content.",
        subject,
        attachment
    );
    if (attachment.find("file \"") != attachment.npos) note += readable_files;
    return note + ")";
}

std::string note_on_large(std::vector<message_file> const& files) {
    std::string names;
    for (auto const& file : files)
        if (is_too_large(file))
            names += (names.empty() ? "" : ", ") + base::json_text(boost::json::value(file.name));
    if (names.empty()) return {};
    return fmt::format(
        "({}: larger than the 20 MB that Telegram gives to bots. Say that, and ask for a smaller "
        "file.)",
        names
    );
}

// A channel or a group is named as such, so that nobody takes it for a person.
std::string note_on(std::optional<forwarded_message> const& forwarded, std::string_view subject) {
    if (!forwarded) return {};
    auto const* kind = forwarded->is_chat ? "the chat " : "";
    auto const author = forwarded->name.empty()
                            ? std::string("someone whose name is hidden")
                            : kind + base::json_text(boost::json::value(forwarded->name));
    return fmt::format(
        "({} was forwarded. The author is {}, not the person who sent it.)", subject, author
    );
}

std::string note_on(
    std::optional<replied_message> const& replied, user_id user, std::string_view subject
) {
    if (!replied) return {};
    std::string author = "somebody else";
    if (replied->own)
        author = "yours";
    else if (replied->user == user)
        author = "the same person";
    else if (!replied->name.empty())
        author = base::json_text(boost::json::value(replied->name));
    return fmt::format(
        "({} replies to this earlier message of {}: {})",
        subject,
        author,
        base::json_text(boost::json::value(replied->text))
    );
}

void add_note(std::string& notes, std::string_view note) {
    if (!notes.empty() && !note.empty()) notes.append("\n\n");
    notes.append(note);
}

constexpr std::size_t longest_reacted_to = 100;
constexpr std::size_t longest_emoji = 32;
constexpr std::string_view custom_mark = "custom:"; // of update.cpp: an emoji without a character

std::string words_of(std::vector<std::string> const& emoji) {
    std::string words;
    for (auto const& character : emoji) {
        if (!words.empty()) words += " ";
        if (character.starts_with(custom_mark))
            words += "a custom emoji";
        else
            words += base::shortened(character, longest_emoji);
    }
    return words.empty() ? "a reaction that was taken back" : words;
}

std::string line_of(answer_reaction const& reaction, user_id asker) {
    return fmt::format(
        "\n{} from {} to {}",
        words_of(reaction.emoji),
        reaction.user == asker ? "the same person" : "another person",
        base::json_text(boost::json::value(base::shortened(reaction.answer, longest_reacted_to)))
    );
}

} // namespace

std::string note_on_reactions(std::vector<answer_reaction> const& reactions, user_id asker) {
    if (reactions.empty()) return {};
    std::string note = "(Reactions to earlier answers of yours. Take them as light feedback, and "
                       "do not speak of them unasked.)";
    for (auto const& reaction : reactions) note += line_of(reaction, asker);
    return note;
}

std::string note_on_memories(std::string_view lines) {
    return fmt::format(
        "(From earlier conversations you remember what follows. Use it where it helps.)\n{}",
        mark_untrusted(lines, "memory")
    );
}

std::string notes_on(heard_message const& heard) {
    std::string notes;
    for (auto const& earlier : heard.joined) {
        auto const quoted = base::shortened(earlier.text, longest_quoted);
        auto const subject = "The earlier message " + base::json_text(boost::json::value(quoted));
        add_note(notes, note_on(earlier.attachment, subject));
        add_note(notes, note_on_large(earlier.files));
        add_note(notes, note_on(earlier.replied, earlier.user, subject));
        add_note(notes, note_on(earlier.forwarded, subject));
    }
    add_note(notes, note_on(heard.attachment, "The message"));
    add_note(notes, note_on_large(files_of(heard)));
    add_note(notes, note_on(heard.replied, heard.user, "The message"));
    add_note(notes, note_on(heard.forwarded, "The message"));
    return notes;
}

} // namespace postrider::agent::flow
