#include "agent/moderation/clean_up.hpp"

#include "storage/stores/group_archive.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent {

namespace {

constexpr std::chrono::seconds archive_deadline{10};
constexpr base::retry_policy archive_tries{
    .limit = 3, .delay = std::chrono::seconds{1}, .timeout = 2 * archive_deadline};

base::awaitable<queue::step_value> look_up_messages(
    storage::batcher& reads, spam::caught_message const& caught, lane_id lane
) {
    storage::author_messages page{.bot = caught.bot, .chat = caught.key.chat, .lane = lane};
    page.user = caught.key.author;
    page.sender_chat = caught.sender_chat;
    auto const messages = co_await storage::read_author_messages(reads, page, archive_deadline);
    if (!messages) co_return messages.error();
    boost::json::array numbers;
    for (auto const message : *messages)
        if (message != caught.key.message) numbers.push_back(base::raw(message));
    co_return boost::json::value(std::move(numbers));
}

} // namespace

base::awaitable<cleaned_messages> clean_up(
    queue::workflow steps,
    messenger& out,
    storage::batcher& reads,
    spam::caught_message caught,
    std::string suffix,
    committing commit
) {
    auto const name = "find" + suffix;
    if (!steps.recorded(name) && steps.is_read_only()) throw queue::suspended{};
    auto look = [&] { return look_up_messages(reads, caught, steps.job().lane); };
    auto const numbers = co_await steps.try_step(name, archive_tries, look);
    cleaned_messages result;
    if (!numbers) result.failure = numbers.error();
    if (!numbers) co_return result;
    remove_messages removal;
    for (auto const& number : numbers->as_array())
        removal.messages.push_back(telegram_message_id{number.to_number<std::int64_t>()});
    if (removal.messages.empty()) co_return result;
    auto const count = removal.messages.size();
    deed work{.name = "cleaned" + suffix};
    work.rows = {storage::mark_removed(caught.bot, caught.key.chat, removal.messages)};
    work.acts.push_back({"clean" + suffix, std::move(removal)});
    auto const results = co_await carry_out(
        steps, out, reads, {caught.bot, caught.key.chat}, std::move(work), std::move(commit)
    );
    result.failure = failure_of(results);
    if (!result.failure) result.count = count;
    co_return result;
}

} // namespace postrider::agent
