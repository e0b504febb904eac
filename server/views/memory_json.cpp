#include "server/views/memory_json.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

namespace json = boost::json;
namespace recall = agent::recall;

namespace {

json::object source_json(recall::shown_source const& source) {
    json::object place{
        {"job_id", base::raw(source.place.job)},
        {"position", source.place.position},
        {"message_id", nullptr}};
    if (!source.message.empty()) place["message_id"] = source.message;
    return place;
}

} // namespace

json::object memory_json(recall::shown_memory const& shown) {
    auto const& memory = shown.memory;
    json::array sources;
    for (auto const& source : shown.sources) sources.push_back(source_json(source));
    json::object object{
        {"memory_id", memory.id},
        {"kind", recall::to_string(memory.kind)},
        {"text", memory.text},
        {"language", memory.language},
        {"bot_id", base::raw(memory.owner.bot)},
        {"user_id", nullptr},
        {"chat_id", nullptr},
        {"sources", std::move(sources)},
        {"created_at", memory.created_at},
        {"expires_at", nullptr}};
    if (memory.owner.user != user_id{}) object["user_id"] = base::raw(memory.owner.user);
    if (memory.owner.chat != chat_id{}) object["chat_id"] = base::raw(memory.owner.chat);
    if (memory.expires_at) object["expires_at"] = *memory.expires_at;
    return object;
}

json::object whole_memory_json(recall::shown_memory const& shown) {
    auto object = memory_json(shown);
    auto& sources = object.at("sources").as_array();
    for (std::size_t at = 0; at < sources.size(); ++at) {
        auto& text = sources[at].as_object()["text"];
        if (shown.sources[at].text) text = *shown.sources[at].text;
    }
    return object;
}

json::object memories_json(std::vector<recall::shown_memory> const& page, int limit) {
    json::array memories;
    for (auto const& shown : page) memories.push_back(memory_json(shown));
    json::object body{{"memories", std::move(memories)}};
    if (std::ssize(page) >= limit) body["next"] = std::to_string(page.back().memory.id);
    return body;
}

} // namespace postrider::server
