#include "server/api/conversation_looks.hpp"

#include "server/api/database_bounds.hpp"

namespace postrider::api {

namespace {

using conversation_findings = std::vector<conversation_finding>;

std::optional<storage::ended_turn> find_ended_turn(
    storage::transaction& tx, job_id turn, std::string const& moment
) {
    std::vector<storage::end_wish> const wish{{turn, moment}};
    return storage::find_ended_turns(tx, wish).front();
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
    storage::transaction& tx, std::vector<conversation_wish> const& wishes
) {
    std::vector<storage::changes_wish> changes;
    changes.reserve(wishes.size());
    for (auto const& wish : wishes) changes.push_back(wish.changes);
    auto read = storage::read_changes(tx, changes);
    conversation_findings found(wishes.size());
    std::vector<storage::end_wish> turns;
    std::vector<std::size_t> followers;
    for (std::size_t at = 0; at < wishes.size(); ++at) {
        found[at].changes = std::move(read[at]);
        if (!wishes[at].turn) continue;
        followers.push_back(at);
        turns.push_back({*wishes[at].turn, found[at].changes.until});
    }
    auto ends = storage::find_ended_turns(tx, turns);
    for (std::size_t n = 0; n < followers.size(); ++n) {
        auto& finding = found[followers[n]];
        auto const& changed = finding.changes;
        finding.end = std::move(ends[n]);
        if (!changed.exists) finding.end = find_last_end(tx, std::move(finding.end), changed.until);
    }
    return found;
}

base::awaitable<base::result<conversation_findings>> look_for_watchers(
    storage::database& db, std::vector<conversation_wish> wishes
) {
    // The work on the storage thread may outlive a look that is cut off.
    auto const findings = std::make_shared<conversation_findings>();
    std::function<void(storage::transaction&)> read = [findings, wishes = std::move(wishes)](
                                                          storage::transaction& tx
                                                      ) { *findings = read_findings(tx, wishes); };
    auto const done = co_await db.run("conversation.look", std::move(read), database_waits.read);
    if (!done) co_return done.error();
    co_return std::move(*findings);
}

} // namespace

conversation_looks look_at_conversations(storage::database& db, base::clock const& clock) {
    return {clock, [&db](std::vector<conversation_wish> wishes) {
                return look_for_watchers(db, std::move(wishes));
            }};
}

} // namespace postrider::api
