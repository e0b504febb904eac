#include "agent/flow/library/triggers.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view shipped = "assistant";

template<class All, class Value>
bool takes(All const& all, Value const& value) {
    return all.empty() || std::ranges::find(all, value) != all.end();
}

template<class All>
bool overlap(All const& a, All const& b) {
    return a.empty() || b.empty() ||
           std::ranges::any_of(a, [&](auto const& value) { return takes(b, value); });
}

} // namespace

int triggers::message_start::rank() const noexcept {
    return (filter.commands.empty() ? 0 : 4) + (filter.chats.empty() ? 0 : 2) +
           (filter.bots.empty() ? 0 : 1);
}

std::vector<std::string> triggers::words_of(message_opening const& filter) {
    if (!filter.commands.empty()) return filter.commands;
    if (filter.chats.empty()) return filter.bots;
    std::vector<std::string> words;
    for (auto const chat : filter.chats) words.push_back(std::to_string(chat));
    return words;
}

std::vector<std::string> words_of_rivals(definition const& flow, catalog const& types) {
    std::vector<std::string> all;
    for (auto const& node : flow.nodes) {
        auto const filter = opening_of<message_opening>(node, types);
        if (!filter) continue;
        auto const words = triggers::words_of(*filter);
        all.insert(all.end(), words.begin(), words.end());
        if (words.empty()) all.push_back(node.type);
    }
    return all;
}

bool triggers::message_start::hears(bool addressed) const noexcept {
    return addressed || filter.hearing != group_hearing::addressed;
}

start triggers::message_start::start_for(bool addressed) const {
    auto taken = to;
    taken.begins = addressed || filter.hearing == group_hearing::all;
    return taken;
}

void triggers::add(std::int64_t version, definition const& flow, catalog const& types) {
    struct {
        triggers& all;
        start to;

        void operator()(message_opening& filter) {
            all.add_message({std::move(filter), std::move(to)});
        }
        void operator()(request_opening& requests) {
            all.add_webhook({std::move(to), std::move(requests)});
        }
        void operator()(conversation_opening const&) {
            all.conversations_.try_emplace(to.flow, to);
        }
        void operator()(schedule_opening const&) {} // the timetable's
        void operator()(call_opening const&) {}     // found when it is called
    } keep{*this, {}};
    for (auto const& node : flow.nodes) {
        auto const* found = trigger_of(node, types);
        if (!found) continue;
        keep.to = {flow.name, version, node.id};
        auto waits_for = found->open(node.parameters);
        std::visit(keep, waits_for);
    }
}

void triggers::add_message(message_start added) {
    auto const takes_the_same = [&](message_start const& other) {
        return other.rank() == added.rank() && overlap(other.filter.bots, added.filter.bots) &&
               overlap(other.filter.chats, added.filter.chats) &&
               overlap(other.filter.commands, added.filter.commands);
    };
    auto rival = messages_.size();
    for (auto const& word : words_of(added.filter)) {
        auto& asking = asking_[word];
        for (auto const at : asking)
            if (takes_the_same(messages_[at])) rival = std::min(rival, at);
        asking.push_back(messages_.size());
    }
    if (rival < messages_.size())
        rivalled_.push_back({added.to.flow, added.to.node, messages_[rival].to});
    messages_.push_back(std::move(added));
}

void triggers::add_webhook(webhook_start added) {
    auto& methods = webhooks_[added.requests.path];
    auto const [found, fresh] = methods.try_emplace(added.requests.method, added);
    if (!fresh) rivalled_.push_back({added.to.flow, added.to.node, found->second.to});
}

std::optional<start> triggers::message(incoming_message const& message) const {
    message_start const* best = nullptr;
    for (auto const& candidate : messages_) {
        if (candidate.rank() == 0) continue;
        auto const& filter = candidate.filter;
        bool const fits =
            takes(filter.bots, message.bot) && takes(filter.chats, base::raw(message.chat)) &&
            takes(filter.commands, message.command) && candidate.hears(message.addressed);
        if (fits && (!best || candidate.rank() > best->rank())) best = &candidate;
    }
    if (best) {
        auto taken = best->start_for(message.addressed);
        taken.asks_for_command = !best->filter.commands.empty();
        return taken;
    }
    if (auto found = answering(message.agent, message.addressed)) return found;
    return unasking(message.addressed);
}

std::optional<start> triggers::answering(std::string_view agent, bool addressed) const {
    for (auto const name : {agent, shipped})
        for (auto const& listener : messages_)
            if (listener.to.flow == name && listener.hears(addressed))
                return listener.start_for(addressed);
    return std::nullopt;
}

std::optional<start> triggers::unasking(bool addressed) const {
    for (auto const& listener : messages_)
        if (listener.rank() == 0 && listener.hears(addressed)) return listener.start_for(addressed);
    return std::nullopt;
}

std::optional<start> triggers::conversation(std::string_view chosen) const {
    for (auto const name : {chosen, shipped})
        if (auto const found = conversations_.find(name); found != conversations_.end())
            return found->second;
    return std::nullopt;
}

webhook_start const* triggers::webhook(std::string_view method, std::string_view path) const {
    auto const here = webhooks_.find(path);
    if (here == webhooks_.end()) return nullptr;
    auto const found = here->second.find(method);
    return found == here->second.end() ? nullptr : &found->second;
}

std::vector<std::string> triggers::methods(std::string_view path) const {
    std::vector<std::string> all;
    if (auto const here = webhooks_.find(path); here != webhooks_.end())
        for (auto const& webhook : here->second) all.push_back(webhook.first);
    return all;
}

} // namespace postrider::agent::flow
