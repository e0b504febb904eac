// Loops: their bodies are entered by one output alone, and the way back begins in the body.
#include "agent/flow/validate/inspection.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

class loop_check {
public:
    explicit loop_check(inspection& in) : in_(in) {
        for (std::size_t at = 0; at < in.flow.nodes.size(); ++at)
            if (in.type_of[at] && !body_output(*in.type_of[at]).empty())
                bodies_.emplace(at, body_of(in.flow, in.type_of, at));
    }

    void check() {
        if (bodies_.empty()) return;
        for (auto const& connection : in_.flow.connections) {
            if (!connection.carries_items()) continue;
            if (in_.leads_back(connection))
                check_return(connection);
            else
                check_entry(connection);
        }
    }

private:
    // From the loop's own rounds: an inner loop has many of its own in each of them.
    void check_return(connection const& connection) {
        auto const& body = bodies_.at(connection.to);
        auto const is_in_inner_loop = [&] {
            return std::ranges::any_of(bodies_, [&](auto const& inner) {
                bool const begins_there =
                    connection.from == inner.first &&
                    connection.output == body_output(*in_.type_of[inner.first]);
                return body[inner.first] && (inner.second[connection.from] || begins_there);
            });
        };
        if (body[connection.from] && !is_in_inner_loop()) return;
        auto const& loop = in_.flow.nodes[connection.to];
        in_.add_to_flow(
            in_.flow.nodes[connection.from],
            {.code = "outside_loop",
             .path = connection.path,
             .message = fmt::format(
                 "{} is not in the loop of {}",
                 in_quotes(in_.flow.nodes[connection.from].name),
                 in_quotes(loop.name)
             ),
             .hint = fmt::format(
                 "only nodes behind its output {} lead back, and not from an inner loop",
                 in_quotes(body_output(*in_.type_of[connection.to]))
             )}
        );
    }

    void check_entry(connection const& connection) {
        for (auto const& [loop, body] : bodies_) {
            bool const is_entry =
                connection.from == loop && connection.output == body_output(*in_.type_of[loop]);
            if (!body[connection.to] || body[connection.from] || is_entry) continue;
            in_.add_to_flow(
                in_.flow.nodes[connection.to],
                {.code = "into_loop",
                 .path = connection.path,
                 .message = fmt::format(
                     "this connection leads into the middle of the loop of {}",
                     in_quotes(in_.flow.nodes[loop].name)
                 ),
                 .hint = fmt::format(
                     "items come into the loop by its output {}; $node reads those of earlier "
                     "nodes",
                     in_quotes(body_output(*in_.type_of[loop]))
                 )}
            );
            return;
        }
    }

    inspection& in_;
    std::map<std::size_t, std::vector<bool>> bodies_; // by the loop's node
};

} // namespace

void check_loops(inspection& in) {
    if (!in.unread.nodes && !in.unread.connections) loop_check(in).check();
}

} // namespace postrider::agent::flow
