// Chats of business accounts, in the simulated Telegram.
#include "server/telegram/simulated_methods.hpp"

namespace postrider::telegram {

namespace {

using base::json_reader;

std::string business_of(desk const& desk) {
    base::json::value const params = desk.call.params;
    return json_reader{params}["business_connection_id"].string_or("");
}

simulated_answer get_business_connection(desk const& desk) {
    auto const* connection = desk.chats.connection(business_of(desk));
    if (!connection) return simulated_answer::failure(400, "business connection not found");
    auto const now = std::chrono::floor<std::chrono::seconds>(desk.clock.now());
    return simulated_answer::ok(connection_json(*connection, now.time_since_epoch().count()));
}

constexpr simulated_method methods_of_business[]{
    {"getBusinessConnection", get_business_connection},
};

} // namespace

std::span<simulated_method const> business_methods() {
    return methods_of_business;
}

base::json::object connection_json(simulated_connection const& connection, std::int64_t date) {
    base::json::object json{
        {"id", connection.id},
        {"user",
         {{"id", base::raw(connection.account)}, {"is_bot", false}, {"first_name", "Alex"}}},
        {"user_chat_id", base::raw(connection.account)},
        {"date", date},
        {"rights", base::json::object{}},
        {"is_enabled", connection.is_enabled},
    };
    if (connection.may_reply) json["rights"].as_object()["can_reply"] = true;
    return json;
}

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
