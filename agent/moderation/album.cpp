#include "agent/moderation/album.hpp"

#include "storage/stores/group_archive.hpp"
#include "storage/stores/said_messages.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent {

namespace json = boost::json;

namespace {

constexpr std::chrono::seconds parts_deadline{10};

base::awaitable<queue::step_value> look_up_parts(
    storage::batcher& reads, spam::caught_message const& caught
) {
    auto const& key = caught.key;
    auto const parts = co_await storage::read_album_parts(
        reads, caught.bot, key.chat, key.message, caught.album, parts_deadline
    );
    if (!parts) co_return parts.error();
    json::array numbers;
    for (auto const part : *parts) numbers.push_back(base::raw(part));
    co_return json::value(std::move(numbers));
}

} // namespace

base::awaitable<base::result<std::vector<telegram_message_id>>> gather_album(
    queue::workflow steps,
    storage::batcher& reads,
    spam::caught_message caught,
    std::string step,
    base::retry_policy tries
) {
    std::vector<telegram_message_id> messages;
    auto const own = caught.key.message;
    if (own == telegram_message_id{}) co_return messages;
    messages.push_back(own);
    if (caught.album.empty()) co_return messages;
    if (!steps.recorded(step) && steps.is_read_only()) throw queue::suspended{};
    auto look = [&] { return look_up_parts(reads, caught); };
    auto const parts = co_await steps.try_step(step, tries, look);
    if (!parts) co_return parts.error();
    for (auto const& number : parts->as_array()) {
        telegram_message_id const part{number.to_number<std::int64_t>()};
        if (part != own) messages.push_back(part);
    }
    co_return messages;
}

base::awaitable<base::result<std::string>> find_words(
    queue::workflow steps,
    storage::batcher& reads,
    spam::caught_message caught,
    std::string step,
    base::retry_policy tries
) {
    // An earlier run has asked, where its catch has the words by now.
    bool const asks = caught.text.empty() || steps.recorded(step);
    if (!asks || caught.album.empty()) co_return std::move(caught.text);
    auto const parts =
        co_await gather_album(std::move(steps), reads, caught, std::move(step), tries);
    if (!parts) co_return parts.error();
    auto words = std::move(caught.text);
    for (auto const part : *parts) {
        if (!words.empty() || part == caught.key.message) continue;
        auto const said = co_await storage::find_said_message(
            reads, caught.bot, caught.key.chat, part, parts_deadline
        );
        if (!said) co_return said.error();
        if (*said) words = (*said)->text;
    }
    co_return words;
}

} // namespace postrider::agent
