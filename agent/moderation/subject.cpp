#include "agent/moderation/subject.hpp"

namespace postrider::agent {

namespace {

// Another bot's catch is its own administrators' matter: owners of one bot are not those of another.
base::awaitable<base::result<std::optional<spam::stored_catch>>> read_own_catch(
    storage::batcher& reads, bot_id bot, spam::catch_key key, base::duration deadline
) {
    auto stored = co_await spam::read_catch(reads, key, deadline);
    if (stored && *stored && (*stored)->caught.bot != bot) stored->reset();
    co_return stored;
}

} // namespace

spam::stored_catch as_subject(bot_id bot, storage::spoken_message const& said) {
    spam::stored_catch subject;
    auto& caught = subject.caught;
    auto const author = said.sender_chat ? user_id{base::raw(*said.sender_chat)} : said.user;
    caught.key = {said.chat, said.message, author};
    caught.bot = bot;
    caught.sender_chat = said.sender_chat;
    caught.name = said.name;
    caught.text = said.text;
    caught.album = said.album;
    subject.may_be_touched = !said.is_of_group;
    return subject;
}

base::awaitable<base::result<std::optional<spam::stored_catch>>> find_subject(
    storage::batcher& reads,
    bot_id bot,
    chat_id chat,
    telegram_message_id message,
    base::duration deadline
) {
    auto const said = co_await storage::find_said_message(reads, bot, chat, message, deadline);
    if (!said) co_return said.error();
    std::optional<spam::stored_catch> subject;
    if (!*said) co_return subject;
    subject = as_subject(bot, **said);
    auto stored = co_await read_own_catch(reads, bot, subject->caught.key, deadline);
    if (!stored) co_return stored.error();
    if (!*stored) co_return subject;
    auto& known = **stored; // it may be from before it was known for a part of an album
    if (known.caught.album.empty()) known.caught.album = std::move(subject->caught.album);
    known.may_be_touched = subject->may_be_touched;
    co_return std::move(known);
}

base::awaitable<base::result<std::optional<spam::stored_catch>>> find_subject(
    storage::batcher& reads, bot_id bot, spam::catch_key key, base::duration deadline
) {
    auto stored = co_await read_own_catch(reads, bot, key, deadline);
    if (!stored || *stored) co_return stored;
    auto said = co_await find_subject(reads, bot, key.chat, key.message, deadline);
    if (!said) co_return said.error();
    // Data of a client of one's own making may name somebody else.
    if (*said && (*said)->caught.key.author != key.author) said->reset();
    co_return said;
}

} // namespace postrider::agent
