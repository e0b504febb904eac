#include "bench/updates.hpp"

#include <fmt/format.h>

#include <array>

namespace postrider::bench {

std::string_view const question =
    "Good morning! We arrive on Friday evening with the night train and would like to take the "
    "first ferry to the island on Saturday. Could you tell me when it leaves, from which pier, and "
    "whether two bicycles and a dog can come along without a reservation? If it is full, is there "
    "a later one before noon? Thank you very much, and have a nice day.";

namespace {

std::string body_of(std::int64_t update, std::int64_t message, std::int64_t user) {
    return fmt::format(
        R"({{"update_id":{0},"message":{{"message_id":{1},"from":{{"id":{2},"is_bot":false,)"
        R"("first_name":"Alexandra","last_name":"Example","username":"alexandra_{2}",)"
        R"("language_code":"en"}},"chat":{{"id":{2},"first_name":"Alexandra",)"
        R"("last_name":"Example","username":"alexandra_{2}","type":"private"}},)"
        R"("date":1795000000,"text":"{3} [{0}]"}}}})",
        update,
        message,
        user,
        question
    );
}

// A word for a number: a spam filter reads texts that differ in digits alone as the same text, many times.
std::string word_of(std::int64_t number) {
    constexpr std::array<std::string_view, 10> syllables{
        "ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "su"};
    std::string word;
    for (; number > 0; number /= 10) word += syllables[static_cast<std::size_t>(number % 10)];
    return word;
}

// A second after the one before: to the filter, messages of one moment are a flood.
std::string group_body_of(std::int64_t update, std::int64_t group, std::string_view says) {
    return fmt::format(
        R"({{"update_id":{0},"message":{{"message_id":{0},"from":{{"id":{1},"is_bot":false,)"
        R"("first_name":"Alexandra","username":"alexandra_{1}"}},"chat":{{"id":{2},)"
        R"("title":"Ferns","type":"supergroup"}},"date":{4},"text":"{3} It is about {5}."}}}})",
        update,
        5000 - group,
        group,
        says,
        1'795'000'000 + update,
        word_of(update)
    );
}

} // namespace

update_source update_source::of_groups(
    target destination, int chats, update_id first, std::string says
) {
    update_source source(std::move(destination), user_id{-chats}, chats, first);
    source.says_ = std::move(says);
    return source;
}

update_source::update_source(target destination, user_id first_user, int chats, update_id first)
    : destination_(std::move(destination)),
      first_user_(base::raw(first_user)),
      chats_(chats),
      first_update_(base::raw(first)) {}

std::string update_source::next_body() {
    auto const user = first_user_ + made_ % chats_;
    auto const update = first_update_ + made_++;
    return says_.empty() ? body_of(update, update, user) : group_body_of(update, user, says_);
}

update_source::request update_source::next() {
    auto const user = first_user_ + made_ % chats_;
    auto const body = next_body();
    return {
        chat_id{user},
        fmt::format(
            "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            "X-Telegram-Bot-Api-Secret-Token: {}\r\nContent-Length: {}\r\n\r\n{}",
            destination_.path,
            destination_.secret,
            body.size(),
            body
        )};
}

} // namespace postrider::bench
