// The answers of a walk's agents, until a node sends them.
#include "agent/flow/run/walk.hpp"

#include <algorithm>

namespace postrider::agent::flow {

bool walk::leads(std::size_t origin, std::size_t target) const {
    std::vector<std::size_t> pending{origin};
    std::vector<bool> visited(places_.size());
    while (!pending.empty()) {
        auto const index = pending.back();
        pending.pop_back();
        if (index == target) return true;
        if (visited[index]) continue;
        visited[index] = true;
        auto const& compiled = graph_.nodes()[index];
        for (auto const* edges : {&compiled.main_outputs, &compiled.back_outputs})
            for (auto edge : *edges) pending.push_back(graph_.flow().connections[edge].to);
    }
    return false;
}

// The answers that are in the text are said with it. Of those that are the whole of it the first:
// another item may have the same.
std::optional<storage::message_row> walk::take_answer(std::size_t index, std::string_view text) {
    auto const comes_here = [&](given_answer const& answer) {
        return leads(answer.node_index, index);
    };
    auto const exact = std::ranges::find_if(answers_, [&](given_answer const& answer) {
        return answer.row.content == text && comes_here(answer);
    });
    std::optional<storage::message_row> row;
    if (exact != answers_.end()) {
        row = std::move(exact->row);
        answers_.erase(exact);
        return row;
    }
    std::erase_if(answers_, [&](given_answer& answer) {
        if (answer.row.content.empty() || text.find(answer.row.content) == text.npos ||
            !comes_here(answer))
            return false;
        row = std::move(answer.row);
        return true;
    });
    if (row) row->content = text;
    return row;
}

} // namespace postrider::agent::flow
