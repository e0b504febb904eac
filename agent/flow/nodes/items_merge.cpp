#include "agent/flow/node_type.hpp"
#include "base/json/ordered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 4> merge_inputs{"first", "second", "third", "fourth"};

// Items by input; of a node that an execution begins with, all are of the first.
using merge_lists = std::array<items, merge_inputs.size()>;

std::size_t merge_input_of(node_run const& run, std::size_t item) {
    auto const place = std::ranges::find(merge_inputs, run.input_port(item));
    return place == merge_inputs.end() ? 0 : static_cast<std::size_t>(place - merge_inputs.begin());
}

// Items that belong together, by input.
struct merge_group {
    merge_lists lists = {};
    bool is_complete = true;
};

// By position or by key, in the order in which the keys first come.
base::awaitable<base::result<std::vector<merge_group>>> group_items(node_run& run, bool by_key) {
    std::vector<merge_group> groups;
    std::map<std::string, std::size_t> group_of;
    std::array<std::size_t, merge_inputs.size()> positions{};
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < run.input().size(); ++at) order.push_back(at);
    std::ranges::stable_sort(order, {}, [&](auto item) { return merge_input_of(run, item); });
    for (auto item : order) {
        auto const input = merge_input_of(run, item);
        auto key = std::to_string(positions[input]++);
        if (by_key) {
            auto const parameters = co_await run.parameters(item);
            if (!parameters) co_return parameters.error();
            auto const& value = parameters->at("key");
            key = value.is_null() ? fmt::format("none/{}", item) : base::ordered_json(value);
        }
        auto const [entry, is_new] = group_of.emplace(std::move(key), groups.size());
        if (is_new) groups.emplace_back();
        groups[entry->second].lists[input].push_back(run.input()[item]);
    }
    for (auto& group : groups)
        for (std::size_t input = 0; input < merge_inputs.size(); ++input)
            if (group.lists[input].empty() && run.is_connected(merge_inputs[input]))
                group.is_complete = false;
    co_return groups;
}

bool keeps_group(merge_group const& group, std::string_view keep) {
    if (keep == "matches") return group.is_complete;
    if (keep == "unmatched") return !group.is_complete;
    return keep == "all" || !group.lists.front().empty();
}

item paired(item const& left, item const& right, bool prefers_last) {
    auto const* right_fields = right.json.if_object();
    auto const* left_fields = left.json.if_object();
    if (!left_fields || !right_fields) return right_fields || !left_fields ? right : left;
    auto fields = *left_fields;
    for (auto const& [name, value] : *right_fields)
        if (prefers_last)
            fields[name] = value;
        else
            fields.emplace(name, value);
    return {std::move(fields)};
}

// Each item of an input with each of the next one, up to one more than may come out.
items pairs_of(merge_group const& group, bool prefers_last) {
    items pairs;
    for (auto const& list : group.lists) {
        if (list.empty()) continue;
        if (pairs.empty()) {
            pairs = list;
            continue;
        }
        items longer;
        for (auto const& pair : pairs)
            for (auto const& item : list)
                if (longer.size() <= most_items) longer.push_back(paired(pair, item, prefers_last));
        pairs = std::move(longer);
    }
    return pairs;
}

items chosen_list(merge_lists const& lists, json::object const& parameters) {
    if (auto const* choice = parameters.if_contains("choice")) {
        auto const place = std::ranges::find(merge_inputs, std::string_view(choice->get_string()));
        return lists[static_cast<std::size_t>(place - merge_inputs.begin())];
    }
    auto const list = std::ranges::find_if(lists, [](auto const& entry) { return !entry.empty(); });
    return list == lists.end() ? items() : *list;
}

base::awaitable<base::result<outputs>> merge_items(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    auto const text = [&](std::string_view name) {
        return std::string_view(parameters->at(name).get_string());
    };
    merge_lists lists;
    for (std::size_t item = 0; item < run.input().size(); ++item)
        lists[merge_input_of(run, item)].push_back(run.input()[item]);
    for (std::size_t input = 0; input < merge_inputs.size(); ++input) {
        if (!lists[input].empty() || !run.is_connected(merge_inputs[input])) continue;
        if (text("when_missing") == "skip") co_return outputs{};
        if (text("when_missing") == "fail")
            co_return base::error(
                base::errc::not_found, fmt::format("no items came to {}", merge_inputs[input])
            );
    }
    items merged;
    auto const add = [&merged](items const& more) {
        merged.insert(merged.end(), more.begin(), more.end());
    };
    if (text("mode") == "append") {
        for (auto const& list : lists) add(list);
    } else if (text("mode") == "choose") {
        add(chosen_list(lists, *parameters));
    } else {
        auto const groups = co_await group_items(run, text("mode") == "by_key");
        if (!groups) co_return groups.error();
        for (auto const& group : *groups)
            if (merged.size() <= most_items && keeps_group(group, text("keep")))
                add(pairs_of(group, text("prefer") == "last"));
    }
    outputs output;
    output.emplace("main", std::move(merged));
    co_return output;
}

} // namespace

behaviour items_merge_behaviour() {
    return durable{merge_items};
}

} // namespace postrider::agent::flow
