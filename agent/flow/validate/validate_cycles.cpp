#include "agent/flow/validate/inspection.hpp"
#include "base/texts.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

// Depth first, without recursion: a connection back to a node that is still open closes a cycle.
class cycle_search {
public:
    explicit cycle_search(inspection& in)
        : in_(in),
          leaving_(in.flow.nodes.size()),
          state_(in.flow.nodes.size(), state::unseen) {
        for (auto const& connection : in.flow.connections)
            if (!in.leads_back(connection)) leaving_[connection.from].push_back(&connection);
    }

    void run() {
        for (std::size_t start = 0; start < state_.size(); ++start) {
            if (state_[start] == state::unseen) open(start);
            while (!path_.empty()) step();
        }
    }

private:
    enum class state { unseen, open, done };
    struct visit {
        std::size_t node;
        std::size_t next = 0; // of its connections
    };

    void open(std::size_t node) {
        state_[node] = state::open;
        path_.push_back({node});
    }

    void step() {
        auto& [node, next] = path_.back();
        if (next == leaving_[node].size()) {
            state_[node] = state::done;
            path_.pop_back();
            return;
        }
        auto const& connection = *leaving_[node][next++];
        if (state_[connection.to] == state::unseen)
            open(connection.to);
        else if (state_[connection.to] == state::open)
            report(connection);
    }

    void report(connection const& closing) {
        constexpr std::size_t most_named = 12;
        auto first = path_.size() - 1;
        while (path_[first].node != closing.to) --first;
        auto const& beginning = in_.flow.nodes[closing.to];
        std::string way;
        for (auto i = first; i < path_.size() && i < first + most_named; ++i)
            way += fmt::format("{} → ", in_quotes(in_.flow.nodes[path_[i].node].name));
        if (path_.size() > first + most_named)
            way += fmt::format("{} more → ", path_.size() - first - most_named);
        in_.add_to_flow(
            beginning,
            {.code = "cycle",
             .path = closing.path,
             .message =
                 fmt::format("the flow goes in a circle: {}{}", way, in_quotes(beginning.name)),
             .hint = "only a loop may be led back to, by an input of its own: " + loop_types()}
        );
    }

    std::string loop_types() const {
        std::vector<std::string> names;
        for (auto const* type : in_.types.all())
            if (!body_output(*type).empty()) names.push_back(type->name);
        return base::joined(names, " or ");
    }

    inspection& in_;
    std::vector<std::vector<connection const*>> leaving_; // by node
    std::vector<state> state_;
    std::vector<visit> path_;
};

} // namespace

void check_cycles(inspection& in) {
    cycle_search(in).run();
}

} // namespace postrider::agent::flow
