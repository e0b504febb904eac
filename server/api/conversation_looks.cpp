#include "server/api/conversation_looks.hpp"

#include "server/api/database_bounds.hpp"
#include "storage/transact.hpp"

namespace postrider::api {

namespace {

using conversation_findings = std::vector<conversation_finding>;

std::optional<storage::ended_turn> find_ended_turn(
    storage::transaction& tx, job_id turn, std::string const& moment
) {
    std::vector<storage::end_query> const query{{turn, moment}};
    return storage::find_ended_turns(tx, query).front();
}

// Of a turn whose conversation is gone.
std::optional<storage::ended_turn> find_last_end(
    storage::transaction& tx, std::optional<storage::ended_turn> end, std::string const& moment
) {
    while (end && end->answered_by) end = find_ended_turn(tx, *end->answered_by, moment);
    if (end && end->state == "completed") return std::nullopt;
    return end;
}

conversation_findings read_findings(
    storage::transaction& tx, std::vector<conversation_query> const& queries
) {
    std::vector<storage::changes_query> changes;
    changes.reserve(queries.size());
    for (auto const& query : queries) changes.push_back(query.changes);
    auto read = storage::read_changes(tx, changes);
    conversation_findings findings(queries.size());
    std::vector<storage::end_query> turns;
    std::vector<std::size_t> followers;
    for (std::size_t at = 0; at < queries.size(); ++at) {
        findings[at].changes = std::move(read[at]);
        if (!queries[at].turn) continue;
        followers.push_back(at);
        turns.push_back({*queries[at].turn, findings[at].changes.until});
    }
    auto ends = storage::find_ended_turns(tx, turns);
    for (std::size_t n = 0; n < followers.size(); ++n) {
        auto& finding = findings[followers[n]];
        auto const& changed = finding.changes;
        finding.end = std::move(ends[n]);
        if (!changed.exists) finding.end = find_last_end(tx, std::move(finding.end), changed.until);
    }
    return findings;
}

base::awaitable<base::result<conversation_findings>> look_for_watchers(
    storage::database& db, std::vector<conversation_query> queries
) {
    auto read = [queries = std::move(queries)](storage::transaction& tx) {
        return read_findings(tx, queries);
    };
    co_return co_await storage::transact(
        db, "conversation.look", std::move(read), database_waits.read
    );
}

} // namespace

conversation_looks look_at_conversations(storage::database& db, base::clock const& clock) {
    return {clock, [&db](std::vector<conversation_query> queries) {
                return look_for_watchers(db, std::move(queries));
            }};
}

} // namespace postrider::api
