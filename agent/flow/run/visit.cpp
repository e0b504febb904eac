#include "agent/flow/run/visit.hpp"

#include "agent/flow/run/message_place.hpp"
#include "agent/flow/run/visit_parts.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

visit::visit(walk& owner, std::size_t index, items const& input)
    : walk_(owner),
      index_(index),
      compiled_(owner.graph_.nodes()[index]),
      input_(input),
      steps_(owner.steps_of(index)) {}

visit::~visit() {
    walk_.committed_ = walk_.committed_ || steps_.served();
}

base::awaitable<base::result<json::object>> visit::parameters(std::size_t item) {
    auto& slice = walk_.context_.slice;
    if (slice.is_over()) co_await slice.yield();
    item_names const names(walk_.names_, index_, input_, item);
    co_return walk_.parameters(index_, names);
}

bool visit::is_connected(std::string_view input) const {
    auto const& connections = walk_.graph_.flow().connections;
    return std::ranges::any_of(compiled_.main_inputs, [&](auto edge) {
        return connections[edge].input == input;
    });
}

base::retry_policy visit::retry(base::retry_policy otherwise) const {
    return compiled_.node->tries(otherwise);
}

std::unique_ptr<node_parts> visit::parts(std::size_t item) {
    return std::make_unique<visit_parts>(
        visit_parts::place{walk_, index_, input_, item, steps_}, index_
    );
}

std::int64_t visit::position(int k) const {
    return message_place(walk_.calls_of(index_), compiled_.rank, k);
}

base::awaitable<void> visit::commit(queue::commit_with additions) {
    auto const& context = walk_.context_;
    additions.unless_edited = context.input.heard && !walk_.committed_ && !steps_.served() &&
                              context.times_begun <= most_edits;
    auto committed = co_await steps_.commit(std::move(additions));
    if (!committed) throw begin_anew{};
    walk_.committed_ = true;
}

json::value const* visit::spare(std::string const& question) const {
    auto const entry = walk_.context_.spares.find({steps_.prefix(), question});
    return entry == walk_.context_.spares.end() ? nullptr : &entry->second;
}

void visit::keep_spare(std::string question, json::value work) {
    walk_.context_.spares.insert_or_assign({steps_.prefix(), std::move(question)}, std::move(work));
}

void visit::give_answer(storage::message_row row) {
    walk_.answers_.push_back({index_, std::move(row)});
}

std::optional<storage::message_row> visit::take_answer(std::string_view text) {
    return walk_.take_answer(index_, text);
}

void visit::note(std::string_view key, json::value value) {
    walk_.places_[index_].metadata[key] = std::move(value);
}

void visit::tell(std::string_view event, json::object detail) {
    auto& watcher = walk_.context_.watcher;
    if (auto const* part = detail.if_contains("part"))
        if (auto const* connection = find_connection_to(part->get_string()))
            watcher.connection_used(*connection, 1);
    watcher.node_reported(node(), event, std::move(detail));
}

connection const* visit::find_connection_to(std::string_view node) const {
    auto const& connections = walk_.graph_.flow().connections;
    auto const part_connection = std::ranges::find_if(connections, [&](auto const& connection) {
        return connection.to == index_ && walk_.graph_.nodes()[connection.from].node->id == node;
    });
    return part_connection == connections.end() ? nullptr : &*part_connection;
}

} // namespace postrider::agent::flow
