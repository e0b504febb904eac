#include "agent/flow/start/command_start.hpp"

#include "agent/language/command.hpp"
#include "agent/language/folded_words.hpp"
#include "agent/language/lexicon.hpp"
#include "agent/language/stop_words.hpp"

namespace postrider::agent::flow {

namespace {

constexpr int urgent = 0; // a person waits for a few words, whatever else is to be done

// Of groups only what is said to the bot. With a picture or a file it is more than a word.
language::lexicon const* stop_word_in(std::string_view text, heard_message const& heard) {
    bool const is_more = !heard.images.empty() || !heard.attachment.empty() || heard.file;
    return heard.addressed && !is_more ? find_stop_word(text) : nullptr;
}

storage::turn_end end_by(heard_message const& heard, bool is_owner) {
    storage::turn_end end;
    end.place = to_json(heard.from);
    end.user = heard.user;
    end.is_owner = is_owner;
    return end;
}

} // namespace

std::optional<command_start> command_in(
    std::string_view text, std::string_view command, execution_input input, bool is_owner
) {
    auto const* definition = find_command(command);
    auto const* word = definition ? nullptr : stop_word_in(text, *input.heard);
    if (word) definition = &stop_command;
    if (!definition) return std::nullopt;
    command_start start;
    start.opens_conversation = definition->opens_conversation;
    start.needs_turn = word != nullptr;
    if (definition->ends_turn) start.ends = end_by(*input.heard, is_owner);
    if (word) start.ends->said = folded_words(text);
    input.command = definition->name;
    if (!word) input.argument = argument_of(text);
    if (word) input.language = word->code;
    start.job.kind = turn_kind;
    start.job.input = to_json(input);
    start.job.priority = urgent;
    return start;
}

} // namespace postrider::agent::flow
