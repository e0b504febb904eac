#include "agent/flow/node_type.hpp"
#include "agent/language/folded_words.hpp"
#include "base/json/json.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

// An apostrophe divides: "Claudir's" is the bot's name, too.
std::string words_between_blanks(std::string_view text) {
    std::string divided;
    for (std::size_t at = 0; at < text.size(); ++at) {
        bool const is_curved = text.substr(at).starts_with("’");
        divided += is_curved || text[at] == '\'' ? ' ' : text[at];
        if (is_curved) at += std::string_view("’").size() - 1;
    }
    return " " + folded_words(divided) + " ";
}

bool is_message(base::json_reader const& item) {
    auto const event = item["event"].string_or("");
    return event == "message" || event == "edit";
}

bool addresses_bot(base::json_reader const& item, std::vector<std::string> const& names) {
    if (item["addressed"].boolean_or(false)) return true;
    auto const text = words_between_blanks(item["text"].string_or(""));
    return std::ranges::any_of(names, [&](std::string const& name) {
        return name.size() > 2 && text.find(name) != text.npos;
    });
}

std::vector<std::string> names_of(boost::json::value const& list) {
    std::vector<std::string> names;
    for (auto const& name : base::json_reader{list}.items_or_none())
        names.push_back(words_between_blanks(name.string_or("")));
    return names;
}

base::awaitable<base::result<outputs>> wake_agent(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    auto const names = names_of(parameters->at("names"));
    auto const every = parameters->at("every").as_int64();
    bool is_addressed = false;
    bool is_due = parameters->at("when") == "always";
    item const* newest = nullptr;
    for (auto const& arrived : run.input()) {
        base::json_reader const message{*arrived.json};
        if (!is_message(message)) continue;
        newest = &arrived;
        is_addressed = is_addressed || addresses_bot(message, names);
        is_due = is_due || (every > 0 && message["message"].int64_or(1) % every == 0);
    }
    outputs output;
    if (!newest || !(is_addressed || is_due)) co_return output;
    auto woken = newest->json.as_object();
    woken["addressed"] = is_addressed;
    for (auto const* member : {"file", "files", "images"}) woken.erase(member);
    output["main"].push_back({boost::json::value(std::move(woken))});
    co_return output;
}

} // namespace

behaviour group_wake_behaviour() {
    return durable{wake_agent};
}

} // namespace postrider::agent::flow
