#include "storage/stores/audit.hpp"

#include "base/json/row.hpp"
#include "base/json/text.hpp"
#include "storage/stores/statements.hpp"

#include <algorithm>
#include <cstdint>

namespace postrider::storage {

namespace {

constexpr statement append{
    "audit.append", "select postrider.audit_append(0, $1, $2::bigint, $3, $4::json)"};

constexpr statement set_actor{
    "audit.act_as", "select set_config('postrider.actor', left($1, 200), true)"};

constexpr statement current_actor{"audit.actor", "select postrider.audit_actor()"};

#define POSTRIDER_AUDIT_COLUMNS                                                                    \
    "a.lane_id, a.number, (select l.lane_key from postrider.lane l where l.lane_id = a.lane_id), " \
    "a.job_id, postrider.iso(a.created_at), a.kind, a.actor, a.subject, a.detail::text, "          \
    "encode(a.content_hash, 'hex'), encode(a.hash, 'hex')"

// $1 kind, $2 actor, $3 and $4 the place that it goes on behind, $5 how many; null does not restrict.
#define POSTRIDER_AUDIT_MATCHES                                                                    \
    " where ($1::text is null or a.kind = $1) and ($2::text is null or a.actor = $2 or "           \
    "starts_with(a.actor, $2 || '/console:'))"                                                     \
    " and (a.created_at, a.lane_id, a.number) < (coalesce("                                        \
    "(select b.created_at from postrider.audit b "                                                 \
    "where b.lane_id = $3::bigint and b.number = $4::bigint), 'infinity'), "                       \
    "coalesce($3::bigint, 9223372036854775807), coalesce($4::bigint, 9223372036854775807))"        \
    " order by a.created_at desc, a.lane_id desc, a.number desc limit $5::bigint"

constexpr statement select_entries{
    "list_audit",
    "select " POSTRIDER_AUDIT_COLUMNS ", null from postrider.audit a" POSTRIDER_AUDIT_MATCHES};

// $6 the job.
constexpr statement list_of_job{
    "list_audit_of_job",
    "select " POSTRIDER_AUDIT_COLUMNS ", null from (select * from postrider.audit x "
    "where x.lane_id = (select j.lane_id from postrider.job j where j.job_id = $6::bigint) "
    "and x.job_id = $6::bigint offset 0) a" POSTRIDER_AUDIT_MATCHES};

constexpr statement read_on{
    "export_audit",
    "select " POSTRIDER_AUDIT_COLUMNS ", (select c.content from postrider.audit_content c "
    "where c.lane_id = a.lane_id and c.number = a.number) from postrider.audit a "
    "where (a.lane_id, a.number) > ($1::bigint, $2::bigint) "
    "order by a.lane_id, a.number limit $3::bigint"};

#undef POSTRIDER_AUDIT_MATCHES
#undef POSTRIDER_AUDIT_COLUMNS

constexpr statement verify{
    "verify_audit",
    "select links, chains, last_lane, last_number, broken_lane, broken_number, problem, keyed "
    "from postrider.audit_verify($1::bigint, $2::bigint, $3::int)"};

param audit_param(std::string const& text) {
    return text.empty() ? param(std::nullopt) : param(text);
}

audit_entry read_entry(row const& r) {
    audit_entry entry;
    entry.lane = r.id<lane_id>(0);
    entry.number = r.int64(1);
    entry.lane_key = r.optional_text(2).value_or("");
    if (auto job = r.optional_int64(3)) entry.job = job_id{*job};
    entry.created_at = r.text(4);
    entry.kind = r.text(5);
    entry.actor = r.text(6);
    entry.subject = r.text(7);
    entry.detail = r.json(8);
    entry.content_hash = r.optional_text(9).value_or("");
    entry.hash = r.text(10);
    entry.content = r.optional_text(11);
    return entry;
}

std::vector<audit_entry> read_entries(rows const& found) {
    std::vector<audit_entry> entries;
    entries.reserve(found.size());
    for (auto const& row : found) entries.push_back(read_entry(row));
    return entries;
}

} // namespace

write record_audit(new_audit_entry const& entry) {
    base::json_row row{
        {"lane_id", base::raw(entry.lane)},
        {"job_id", base::raw(entry.job)},
        {"nonce", entry.nonce},
        {"kind", entry.kind},
        {"actor", entry.actor},
        {"subject", entry.subject},
        {"detail", entry.detail}};
    if (!entry.content_hash.empty()) row.add({"sha256", entry.content_hash});
    if (entry.content) row.add({"content", *entry.content});
    return {entry.content ? &sql::record_audit : &sql::record_audit_alone, std::move(row).text()};
}

write once_only(write row) {
    if (row.statement == &sql::record_audit || row.statement == &sql::record_audit_alone)
        row.statement = &sql::record_audit_once;
    return row;
}

void chain_together(std::vector<write>& writes) {
    auto const is_audit = [](write const& row) {
        return row.statement == &sql::record_audit || row.statement == &sql::record_audit_alone;
    };
    if (std::ranges::count_if(writes, is_audit) < 2) return;
    for (auto& row : writes)
        if (is_audit(row)) row.statement = &sql::record_audit;
}

void act_as(transaction& tx, std::string_view actor) {
    tx.query(set_actor, {actor});
}

std::string actor_in(transaction& tx) {
    return tx.query(current_actor).front().text(0);
}

void audit_operation(
    transaction& tx,
    std::string_view kind,
    std::optional<job_id> job,
    std::string_view subject,
    boost::json::object const& detail
) {
    auto const of_job = job ? param(*job) : param(std::nullopt);
    tx.query(append, {kind, of_job, subject, base::json_text(detail)});
}

std::vector<audit_entry> list_audit(transaction& tx, audit_filter const& filter) {
    std::vector<param> with{audit_param(filter.kind), audit_param(filter.actor)};
    if (filter.before) {
        with.emplace_back(filter.before->lane);
        with.emplace_back(filter.before->number);
    } else {
        with.insert(with.end(), 2, param(std::nullopt));
    }
    with.emplace_back(filter.limit);
    if (!filter.job) return read_entries(tx.query(select_entries, with));
    with.emplace_back(*filter.job);
    return read_entries(tx.query(list_of_job, with));
}

std::vector<audit_entry> export_audit(transaction& tx, audit_place after, int limit) {
    return read_entries(tx.query(read_on, {after.lane, after.number, limit}));
}

audit_check verify_audit(transaction& tx, audit_place after, int limit) {
    auto const found = tx.query(verify, {after.lane, after.number, limit});
    auto const& r = found.at(0);
    audit_check check;
    check.links = r.int64(0);
    check.chains = r.int64(1);
    check.keyed = r.int64(7);
    if (auto broken = r.optional_int64(4)) {
        check.broken = audit_place{lane_id{*broken}, r.int64(5)};
        check.problem = r.text(6);
        check.last = {check.broken->lane, INT64_MAX};
    } else {
        check.last = {r.id<lane_id>(2), r.int64(3)};
    }
    return check;
}

} // namespace postrider::storage
