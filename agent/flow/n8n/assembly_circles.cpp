// Circles of an import. n8n lets connections lead back to any node; here a loop leads back to itself alone.
#include "agent/flow/n8n/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

constexpr int most_rounds = 200;
constexpr int deepest_circle = 50; // within others

using successors = std::vector<std::vector<std::size_t>>; // by node

// Which nodes lead to each other: each node with the number of its group. Without recursion.
class node_groups {
public:
    explicit node_groups(successors const& next)
        : next_(next),
          order_(next.size()),
          lowest_(next.size()),
          group_(next.size()) {
        for (std::size_t node = 0; node < next.size(); ++node)
            if (order_[node] == 0) visit(node);
    }

    std::vector<std::size_t> const& group_of() const { return group_; } // from 1

private:
    struct step {
        std::size_t node;
        std::size_t next = 0;
    };

    void visit(std::size_t start) {
        std::vector<step> path;
        open(start, path);
        while (!path.empty()) {
            auto const node = path.back().node;
            if (path.back().next < next_[node].size()) {
                auto const other = next_[node][path.back().next++];
                if (order_[other] == 0)
                    open(other, path);
                else if (group_[other] == 0)
                    lowest_[node] = std::min(lowest_[node], order_[other]);
                continue;
            }
            path.pop_back();
            if (!path.empty())
                lowest_[path.back().node] = std::min(lowest_[path.back().node], lowest_[node]);
            if (lowest_[node] == order_[node]) close(node);
        }
    }

    void open(std::size_t node, std::vector<step>& path) {
        order_[node] = lowest_[node] = ++count_;
        waiting_.push_back(node);
        path.push_back({node});
    }

    void close(std::size_t first) {
        ++groups_;
        for (std::size_t node = first + 1; node != first;) {
            node = waiting_.back();
            waiting_.pop_back();
            group_[node] = groups_;
        }
    }

    successors const& next_;
    std::vector<std::size_t> order_;
    std::vector<std::size_t> lowest_;
    std::vector<std::size_t> group_;
    std::vector<std::size_t> waiting_;
    std::size_t count_ = 0;
    std::size_t groups_ = 0;
};

} // namespace

bool assembly::returns_to_loop(workflow_link const& link) {
    return link.kind == main_connection && !drafts_[link.to].returns_to.empty() &&
           leads_to(link.to, link.from);
}

// Items go on by it, not back into a loop.
bool assembly::is_forward(workflow_link const& link) {
    if (link.kind != main_connection || drafts_[link.from].left_out || drafts_[link.to].left_out)
        return false;
    bool const has_output = link.output < drafts_[link.from].outputs.size() ||
                            flow_.nodes[link.from].on_error == "continueErrorOutput";
    return !returns_to_loop(link) && has_output && has_port(link.from, main_connection, false) &&
           has_port(link.to, main_connection, true);
}

void assembly::find_circles() {
    leads_back_.assign(flow_.links.size(), false);
    std::vector<bool> forward;
    for (auto const& link : flow_.links) forward.push_back(is_forward(link));
    // A circle within another one is left when the outer one has its loop.
    bool changed = true;
    for (int round = 0; round < deepest_circle && std::exchange(changed, false); ++round) {
        successors next(flow_.nodes.size());
        for (std::size_t i = 0; i < flow_.links.size(); ++i)
            if (forward[i]) next[flow_.links[i].from].push_back(flow_.links[i].to);
        auto const groups = node_groups(next).group_of();
        // By group: where items come in, else the first node.
        std::map<std::size_t, std::size_t> beginnings;
        auto const is_within = [&](std::size_t i) {
            auto const& link = flow_.links[i];
            return forward[i] && groups[link.from] == groups[link.to];
        };
        for (std::size_t i = 0; i < flow_.links.size(); ++i)
            if (is_within(i)) beginnings.try_emplace(groups[flow_.links[i].to], flow_.links[i].to);
        std::map<std::size_t, std::size_t> entries;
        for (std::size_t i = 0; i < flow_.links.size(); ++i)
            if (forward[i] && !is_within(i))
                entries.try_emplace(groups[flow_.links[i].to], flow_.links[i].to);
        for (auto& [group, beginning] : beginnings) {
            if (auto const entry = entries.find(group); entry != entries.end())
                beginning = entry->second;
            repeats_.try_emplace(beginning);
        }
        // Only nodes of a loop's own rounds lead back to it: what leaves a circle for the loop around it ends the circle.
        for (std::size_t i = 0; i < flow_.links.size(); ++i) {
            auto const& link = flow_.links[i];
            auto const circle = beginnings.find(groups[link.from]);
            if (circle != beginnings.end() && groups[link.to] != circle->first &&
                returns_to_loop(link))
                finishes_.emplace(i, circle->second);
        }
        for (std::size_t i = 0; i < flow_.links.size(); ++i) {
            auto const& link = flow_.links[i];
            if (!is_within(i) || beginnings.at(groups[link.to]) != link.to) continue;
            forward[i] = false;
            leads_back_[i] = changed = true;
        }
    }
}

void assembly::add_repeats() {
    for (auto& [node, id] : repeats_) {
        id = add_helper(
            node,
            -180,
            names_.name_of(node) + " again",
            {.type = "items.repeat", .parameters = {{"max_rounds", most_rounds}}}
        );
        if (id.empty()) continue;
        lead_into(id, "each", node);
        for (auto const& [link, beginning] : finishes_)
            if (beginning == node)
                connections_.push_back(
                    {{"from", id},
                     {"output", "done"},
                     {"to", names_.id_of(flow_.links[link].to)},
                     {"input", drafts_[flow_.links[link].to].returns_to}}
                );
        tell(
            node,
            "n8n_difference",
            fmt::format("a circle begins here; it runs {} rounds at most", most_rounds),
            "the node in front says how many"
        );
    }
    std::erase_if(repeats_, [](auto const& entry) { return entry.second.empty(); });
}

void assembly::add_limits() {
    for (std::size_t node = 0; node < flow_.nodes.size(); ++node) {
        bool const has_items =
            has_port(node, main_connection, true) && !flow_.feeders(node, main_connection).empty();
        if (!flow_.nodes[node].runs_once || !has_items || !drafts_[node].inputs.empty()) continue;
        auto id = add_helper(
            node,
            -90,
            names_.name_of(node) + " once",
            {.type = "items.limit", .parameters = {{"count", 1}}}
        );
        if (id.empty()) continue;
        lead_into(id, main_connection, node);
        limits_.emplace(node, std::move(id));
    }
}

void assembly::lead_into(std::string const& helper, std::string_view output, std::size_t node) {
    auto const limit = limits_.find(node);
    json::object connection{
        {"from", helper}, {"to", limit == limits_.end() ? names_.id_of(node) : limit->second}};
    if (output != main_connection) connection["output"] = output;
    auto const& inputs = drafts_[node].inputs;
    if (!inputs.empty() && inputs.front() != main_connection) connection["input"] = inputs.front();
    connections_.push_back(std::move(connection));
}

std::string assembly::add_helper(
    std::size_t beside, double right, std::string name, draft_node draft
) {
    constexpr std::size_t most_of_helper = 50; // connections
    constexpr definition_limits limits;
    if (nodes_.size() >= limits.nodes || !types_.find(draft.type) ||
        connections_.size() + flow_.links.size() + most_of_helper > limits.connections)
        return {};
    workflow_node place;
    if (auto const& position = flow_.nodes[beside].position)
        place.position = {position->first + right, position->second};
    name = names_.add_name(name);
    auto id = names_.add_id(name);
    add_document_node(place, std::move(draft), std::move(name), id, false);
    return id;
}

void assembly::add_answers() {
    std::map<std::size_t, std::string_view> last_nodes;
    for (auto const& [trigger, body] : answered_) {
        std::vector<bool> visited(flow_.nodes.size());
        std::vector<std::size_t> open{trigger};
        while (!open.empty()) {
            auto const node = open.back();
            open.pop_back();
            if (visited[node]) continue;
            visited[node] = true;
            bool is_last = true;
            for (auto const number : flow_.links_from(node)) {
                auto const& link = flow_.links[number];
                if (link.kind != main_connection || drafts_[link.to].left_out) continue;
                is_last = false;
                open.push_back(link.to);
            }
            if (is_last && has_port(node, main_connection, false)) last_nodes.emplace(node, body);
        }
    }
    for (auto const& [node, body] : last_nodes) add_answer(node, body);
}

void assembly::add_answer(std::size_t last, std::string_view body) {
    auto const id = add_helper(
        last, 200, "Answer", {.type = "http.respond", .parameters = {{"body", json::value(body)}}}
    );
    if (id.empty()) return;
    for (auto const& output : drafts_[last].outputs) {
        json::object connection{{"from", names_.id_of(last)}, {"to", id}};
        if (output != main_connection) connection["output"] = output;
        connections_.push_back(std::move(connection));
    }
}

} // namespace postrider::agent::flow::n8n
