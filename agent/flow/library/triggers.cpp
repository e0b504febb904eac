#include "agent/flow/library/triggers.hpp"

#include "base/json.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view shipped = "assistant";
constexpr std::string_view telegram = "telegram.message";

// What was not validated yet is read as far as it goes.
std::vector<std::string> texts(boost::json::object const& parameters, std::string_view name) {
    boost::json::value const whole(parameters);
    std::vector<std::string> all;
    for (auto const& each : base::json_reader(whole)[name].items_or_none())
        if (each.is_string()) all.push_back(each.string());
    return all;
}

std::vector<std::int64_t> numbers(boost::json::object const& parameters, std::string_view name) {
    boost::json::value const whole(parameters);
    std::vector<std::int64_t> all;
    for (auto const& each : base::json_reader(whole)[name].items_or_none())
        if (each.raw() && each.raw()->is_int64()) all.push_back(each.int64());
    return all;
}

std::string text(
    boost::json::object const& parameters, std::string_view name, std::string_view otherwise
) {
    boost::json::value const whole(parameters);
    return base::json_reader(whole)[name].string_or(otherwise);
}

template<class All, class One>
bool takes(All const& all, One const& one) {
    return all.empty() || std::ranges::find(all, one) != all.end();
}

template<class All>
bool overlap(All const& a, All const& b) {
    return a.empty() || b.empty() ||
           std::ranges::any_of(a, [&](auto const& each) { return takes(b, each); });
}

} // namespace

int triggers::message_start::rank() const noexcept {
    return (commands.empty() ? 0 : 4) + (chats.empty() ? 0 : 2) + (bots.empty() ? 0 : 1);
}

std::vector<std::string> triggers::message_start::words() const {
    if (!commands.empty()) return commands;
    if (chats.empty()) return bots;
    std::vector<std::string> all;
    for (auto const chat : chats) all.push_back(std::to_string(chat));
    return all;
}

std::vector<std::string> words_of_rivals(definition const& flow) {
    std::vector<std::string> all;
    for (auto const& node : flow.nodes) {
        if (node.type != telegram || node.disabled) continue;
        auto const words = triggers::message_start_of({}, node.parameters).words();
        all.insert(all.end(), words.begin(), words.end());
        if (words.empty()) all.emplace_back(telegram);
    }
    return all;
}

bool triggers::message_start::hears(bool addressed) const noexcept {
    return addressed || hearing != group_hearing::addressed;
}

start triggers::message_start::start_for(bool addressed) const {
    auto taken = to;
    taken.begins = addressed || hearing == group_hearing::all;
    return taken;
}

void triggers::add(std::int64_t version, definition const& flow) {
    for (auto const& node : flow.nodes) {
        if (node.disabled) continue;
        start to{flow.name, version, node.id};
        if (node.type == telegram)
            add_message(message_start_of(std::move(to), node.parameters));
        else if (node.type == "webhook")
            add_webhook(std::move(to), node.parameters);
        else if (node.type == "schedule")
            schedules_.push_back({std::move(to), node.parameters});
    }
}

triggers::message_start triggers::message_start_of(
    start to, boost::json::object const& parameters
) {
    auto const hearing = text(parameters, "group_messages", "addressed");
    return {
        texts(parameters, "bots"),
        numbers(parameters, "chats"),
        texts(parameters, "commands"),
        hearing == "all"      ? group_hearing::all
        : hearing == "stored" ? group_hearing::stored
                              : group_hearing::addressed,
        std::move(to)};
}

void triggers::add_message(message_start what) {
    auto const takes_the_same = [&](message_start const& other) {
        return other.rank() == what.rank() && overlap(other.bots, what.bots) &&
               overlap(other.chats, what.chats) && overlap(other.commands, what.commands);
    };
    auto rival = messages_.size();
    for (auto const& word : what.words()) {
        auto& asking = asking_[word];
        for (auto const at : asking)
            if (takes_the_same(messages_[at])) rival = std::min(rival, at);
        asking.push_back(messages_.size());
    }
    if (rival < messages_.size())
        rivalled_.push_back({what.to.flow, what.to.node, messages_[rival].to});
    messages_.push_back(std::move(what));
}

void triggers::add_webhook(start to, boost::json::object const& parameters) {
    auto& here = webhooks_[text(parameters, "path", "")];
    auto const [found, fresh] =
        here.try_emplace(text(parameters, "method", "POST"), configured_start{to, parameters});
    if (!fresh) rivalled_.push_back({to.flow, to.node, found->second.to});
}

std::optional<start> triggers::message(incoming_message const& what) const {
    message_start const* best = nullptr;
    for (auto const& each : messages_) {
        if (each.rank() == 0) continue;
        bool const fits = takes(each.bots, what.bot) && takes(each.chats, base::raw(what.chat)) &&
                          takes(each.commands, what.command) && each.hears(what.addressed);
        if (fits && (!best || each.rank() > best->rank())) best = &each;
    }
    if (best) return best->start_for(what.addressed);
    if (auto found = answering(what.agent, what.addressed)) return found;
    return unasking(what.addressed);
}

std::optional<start> triggers::answering(std::string_view agent, bool addressed) const {
    for (auto const name : {agent, shipped})
        for (auto const& each : messages_)
            if (each.to.flow == name && each.hears(addressed)) return each.start_for(addressed);
    return std::nullopt;
}

std::optional<start> triggers::unasking(bool addressed) const {
    for (auto const& each : messages_)
        if (each.rank() == 0 && each.hears(addressed)) return each.start_for(addressed);
    return std::nullopt;
}

configured_start const* triggers::webhook(std::string_view method, std::string_view path) const {
    auto const here = webhooks_.find(path);
    if (here == webhooks_.end()) return nullptr;
    auto const found = here->second.find(method);
    return found == here->second.end() ? nullptr : &found->second;
}

std::vector<std::string> triggers::methods(std::string_view path) const {
    std::vector<std::string> all;
    if (auto const here = webhooks_.find(path); here != webhooks_.end())
        for (auto const& each : here->second) all.push_back(each.first);
    return all;
}

} // namespace postrider::agent::flow
