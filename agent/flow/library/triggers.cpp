#include "agent/flow/library/triggers.hpp"

#include "agent/language/command.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr std::string_view shipped = "assistant";

template<class All, class Value>
bool takes(All const& values, Value const& value) {
    return values.empty() || std::ranges::find(values, value) != values.end();
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

int triggers::group_start::rank() const noexcept {
    return (filter.chats.empty() ? 0 : 2) + (filter.bots.empty() ? 0 : 1);
}

std::vector<std::string> triggers::words_of(message_opening const& filter) {
    if (!filter.commands.empty()) return filter.commands;
    if (filter.chats.empty()) return filter.bots;
    std::vector<std::string> words;
    for (auto const chat : filter.chats) words.push_back(std::to_string(chat));
    return words;
}

std::vector<std::string> words_of_rivals(definition const& flow, catalog const& types) {
    std::vector<std::string> result;
    for (auto const& node : flow.nodes) {
        auto const watched = opening_of<group_opening>(node, types);
        auto const filter = watched ? message_opening{watched->bots, watched->chats}
                                    : opening_of<message_opening>(node, types);
        if (!filter) continue;
        auto const words = triggers::words_of(*filter);
        result.insert(result.end(), words.begin(), words.end());
        if (words.empty()) result.push_back(node.type);
    }
    return result;
}

bool triggers::message_start::accepts(bool addressed) const noexcept {
    return addressed || filter.hearing != group_hearing::addressed;
}

start triggers::message_start::start_for(bool addressed) const {
    auto taken = to;
    taken.begins = addressed || filter.hearing == group_hearing::all;
    taken.takes_files = filter.files;
    return taken;
}

void triggers::add(std::int64_t version, definition const& flow, catalog const& types) {
    struct {
        triggers& all;
        position at;
        start to;

        void operator()(message_opening& filter) {
            for (auto const& word : words_of(filter)) all.asking_[word].insert(at);
            all.messages_.emplace(at, message_start{std::move(filter), std::move(to)});
        }
        void operator()(group_opening& filter) {
            all.groups_.emplace(at, group_start{std::move(filter), std::move(to)});
        }
        void operator()(request_opening& requests) {
            all.routes_.emplace(at, std::pair(requests.path, requests.method));
            auto& listening = all.webhooks_[requests.path][requests.method];
            listening.emplace(at, webhook_start{std::move(to), std::move(requests)});
        }
        void operator()(conversation_opening const&) {
            all.conversations_.try_emplace(to.flow, to);
        }
        void operator()(schedule_opening const&) {} // the timetable's
        void operator()(call_opening const&) {}     // found when it is called
    } keep{*this, {flow.name, 0}, {}};
    for (auto const& node : flow.nodes) {
        auto const* node_trigger = trigger_of(node, types);
        if (!node_trigger) continue;
        keep.to = {flow.name, version, node.id};
        auto waits_for = node_trigger->open(node.parameters);
        std::visit(keep, waits_for);
        ++keep.at.second;
    }
}

void triggers::remove(std::string_view flow) {
    position const first{flow, 0};
    auto const is_of_flow = [&](auto const& kept) { return kept.first.first == flow; };
    for (auto place = messages_.lower_bound(first);
         place != messages_.end() && is_of_flow(*place);) {
        for (auto const& word : words_of(place->second.filter)) {
            auto const asking = asking_.find(word);
            asking->second.erase(place->first);
            if (asking->second.empty()) asking_.erase(asking);
        }
        place = messages_.erase(place);
    }
    for (auto place = groups_.lower_bound(first); place != groups_.end() && is_of_flow(*place);)
        place = groups_.erase(place);
    for (auto place = routes_.lower_bound(first); place != routes_.end() && is_of_flow(*place);) {
        auto const by_method = webhooks_.find(place->second.first);
        auto const method = by_method->second.find(place->second.second);
        method->second.erase(place->first);
        if (method->second.empty()) by_method->second.erase(method);
        if (by_method->second.empty()) webhooks_.erase(by_method);
        place = routes_.erase(place);
    }
    if (auto const entry = conversations_.find(flow); entry != conversations_.end())
        conversations_.erase(entry);
}

std::set<triggers::position> triggers::contenders_of(message_start const& message) const {
    std::set<position> contenders;
    for (auto const& word : words_of(message.filter)) {
        auto const asking = asking_.find(word);
        if (asking == asking_.end()) continue;
        for (auto const& at : asking->second) {
            auto const& other = messages_.at(at);
            if (other.rank() == message.rank() && overlap(other.filter.bots, message.filter.bots) &&
                overlap(other.filter.chats, message.filter.chats) &&
                overlap(other.filter.commands, message.filter.commands))
                contenders.insert(at);
        }
    }
    return contenders;
}

// Nothing where the trigger at the position wins.
void triggers::add_rivalled(std::vector<rivalled_trigger>& rivalled, position const& at) const {
    if (auto const entry = messages_.find(at); entry != messages_.end()) {
        auto const contenders = contenders_of(entry->second);
        if (!contenders.empty() && *contenders.begin() < at)
            rivalled.push_back(
                {at.first, entry->second.to.node, messages_.at(*contenders.begin()).to}
            );
    }
    if (auto const entry = groups_.find(at); entry != groups_.end())
        if (auto const winner = watching_instead_of(at); winner != at)
            rivalled.push_back({at.first, entry->second.to.node, groups_.at(winner).to});
    if (auto const entry = routes_.find(at); entry != routes_.end()) {
        auto const& [path, method] = entry->second;
        auto const& contenders = webhooks_.find(path)->second.find(method)->second;
        if (contenders.begin()->first < at)
            rivalled.push_back({at.first, contenders.at(at).to.node, contenders.begin()->second.to}
            );
    }
}

std::vector<rivalled_trigger> triggers::rivalled() const {
    std::set<position> positions;
    for (auto const& message : messages_) positions.insert(message.first);
    for (auto const& watching : groups_) positions.insert(watching.first);
    for (auto const& route : routes_) positions.insert(route.first);
    std::vector<rivalled_trigger> all;
    for (auto const& at : positions) add_rivalled(all, at);
    return all;
}

std::vector<rivalled_trigger> triggers::rivalled_with(std::string_view flow) const {
    position const first{flow, 0};
    std::set<position> positions;
    for (auto place = messages_.lower_bound(first);
         place != messages_.end() && place->first.first == flow;
         ++place)
        positions.merge(contenders_of(place->second));
    for (auto place = routes_.lower_bound(first);
         place != routes_.end() && place->first.first == flow;
         ++place) {
        auto const& [path, method] = place->second;
        for (auto const& contender : webhooks_.find(path)->second.find(method)->second)
            positions.insert(contender.first);
    }
    for (auto const& watching : groups_) positions.insert(watching.first);
    std::vector<rivalled_trigger> result;
    for (auto const& at : positions) add_rivalled(result, at);
    std::erase_if(result, [&](rivalled_trigger const& rivalled) {
        return rivalled.flow != flow && rivalled.winner.flow != flow;
    });
    return result;
}

triggers::position triggers::watching_instead_of(position const& at) const {
    auto const& own = groups_.at(at);
    for (auto const& [place, other] : groups_)
        if (other.rank() == own.rank() && overlap(other.filter.bots, own.filter.bots) &&
            overlap(other.filter.chats, own.filter.chats) &&
            overlap(other.filter.events, own.filter.events))
            return place;
    return at;
}

std::optional<start> triggers::group(group_incident const& incident) const {
    group_start const* best = nullptr;
    for (auto const& [at, candidate] : groups_) {
        auto const& filter = candidate.filter;
        bool const fits = takes(filter.bots, incident.bot) &&
                          takes(filter.chats, base::raw(incident.chat)) &&
                          takes(filter.events, incident.event);
        if (fits && (!best || candidate.rank() > best->rank())) best = &candidate;
    }
    if (!best) return std::nullopt;
    return best->to;
}

std::set<group_event> triggers::group_events(std::string_view bot) const {
    std::set<group_event> events;
    for (auto const& [at, watching] : groups_)
        if (takes(watching.filter.bots, bot))
            events.insert(watching.filter.events.begin(), watching.filter.events.end());
    return events;
}

std::optional<start> triggers::message(incoming_message const& message) const {
    message_start const* best = nullptr;
    for (auto const& [at, candidate] : messages_) {
        if (candidate.rank() == 0) continue;
        auto const& filter = candidate.filter;
        bool const fits =
            takes(filter.bots, message.bot) && takes(filter.chats, base::raw(message.chat)) &&
            takes(filter.commands, message.command) && candidate.accepts(message.addressed);
        if (fits && (!best || candidate.rank() > best->rank())) best = &candidate;
    }
    if (best) {
        auto taken = best->start_for(message.addressed);
        taken.asks_for_command = !best->filter.commands.empty();
        return taken;
    }
    if (auto answering_start = answering(message.agent, message.addressed)) return answering_start;
    if (auto taken = unasking(message.addressed)) return taken;
    bool const is_own = message.command.starts_with('/') && find_command(message.command);
    return is_own ? lending(message) : std::nullopt;
}

std::optional<start> triggers::answering(std::string_view agent, bool addressed) const {
    for (auto const name : {agent, shipped})
        for (auto place = messages_.lower_bound({std::string(name), 0});
             place != messages_.end() && place->first.first == name;
             ++place)
            if (place->second.accepts(addressed)) return place->second.start_for(addressed);
    return std::nullopt;
}

std::optional<start> triggers::unasking(bool addressed) const {
    for (auto const& [at, listener] : messages_)
        if (listener.rank() == 0 && listener.accepts(addressed))
            return listener.start_for(addressed);
    return std::nullopt;
}

std::optional<start> triggers::lending(incoming_message const& message) const {
    std::optional<start> lent;
    for (auto const& [at, listener] : messages_) {
        if (!listener.accepts(message.addressed)) continue;
        auto const& filter = listener.filter;
        bool const is_of_place =
            takes(filter.bots, message.bot) && takes(filter.chats, base::raw(message.chat));
        if (lent && !is_of_place) continue;
        lent = listener.start_for(message.addressed);
        lent->lent = true;
        if (is_of_place) break;
        lent->node.clear();
    }
    return lent;
}

std::optional<start> triggers::conversation(std::string_view chosen) const {
    for (auto const name : {chosen, shipped})
        if (auto const entry = conversations_.find(name); entry != conversations_.end())
            return entry->second;
    return std::nullopt;
}

webhook_start const* triggers::webhook(std::string_view method, std::string_view path) const {
    auto const by_method = webhooks_.find(path);
    if (by_method == webhooks_.end()) return nullptr;
    auto const entry = by_method->second.find(method);
    return entry == by_method->second.end() ? nullptr : &entry->second.begin()->second;
}

std::vector<std::string> triggers::methods(std::string_view path) const {
    std::vector<std::string> all;
    if (auto const by_method = webhooks_.find(path); by_method != webhooks_.end())
        for (auto const& webhook : by_method->second)
            if (webhook.first != form_method) all.push_back(webhook.first);
    return all;
}

} // namespace postrider::agent::flow
