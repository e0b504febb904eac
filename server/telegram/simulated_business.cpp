// Chats of business accounts, in the simulated Telegram.
#include "server/telegram/simulated_methods.hpp"

namespace postrider::telegram {

namespace {

using base::json_reader;

std::string business_of(desk const& desk) {
    base::json::value const params = desk.call.params;
    return json_reader{params}["business_connection_id"].string_or("");
}

} // namespace

chat_id place_of(desk const& desk) {
    auto const business = business_of(desk);
    return business.empty() ? desk.call.chat
                            : desk.chats.place_in_business(business, desk.call.chat);
}

std::optional<simulated_answer> refuse_place(desk const& desk) {
    if (auto const business = business_of(desk); !business.empty()) {
        auto const* connection = desk.chats.connection(business);
        if (!connection || !connection->is_enabled)
            return simulated_answer::failure(400, "business connection not found");
        if (!connection->may_reply)
            return simulated_answer::failure(400, "BUSINESS_CONNECTION_NOT_ALLOWED");
    }
    if (desk.chats.knows(place_of(desk))) return std::nullopt;
    return simulated_answer::failure(400, "chat not found");
}

chat_id simulated_chats::place_in_business(std::string const& id, chat_id customer) {
    auto const* of = connection(id);
    auto const next = chat_id{-8'000'000'000'000 - std::ssize(business_places_)};
    return business_places_.try_emplace({of ? of->account : user_id{}, customer}, next)
        .first->second;
}

} // namespace postrider::telegram
