#include "storage/stores/flows.hpp"

#include "base/names.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace postrider::storage {

namespace {

constexpr statement insert_flow{"flows.insert", R"sql(
insert into postrider.flow (name, draft) values ($1, $2::json)
on conflict (name) do nothing
returning flow_id)sql"};

constexpr statement select_flow{"flows.find", R"sql(
select flow_id, name, description, origin, published_version, postrider.iso(published_at), coalesce(published_by, ''),
       changed, draft_revision, postrider.iso(created_at), postrider.iso(updated_at), postrider.iso(archived_at)
from postrider.flows where name = $1)sql"};

constexpr statement lock_row{"flows.lock", R"sql(
select from postrider.flow where name = $1 for update)sql"};

constexpr statement select_flows{"flows.list", R"sql(
select flow_id, name, description, origin, published_version, postrider.iso(published_at), coalesce(published_by, ''),
       changed, draft_revision, postrider.iso(created_at), postrider.iso(updated_at), postrider.iso(archived_at)
from postrider.flows
where name > $1 and (archived_at is null or $3)
order by name limit $2)sql"};

constexpr statement select_draft{"flows.draft", R"sql(
select draft::text from postrider.flow where flow_id = $1)sql"};

constexpr statement update_draft{"flows.save", R"sql(
update postrider.flow
set draft = $2::json, updated_at = postrider.now(),
    draft_revision = draft_revision + (draft_digest <> postrider.digest($2::json))::int
where flow_id = $1 and draft_revision = $3
returning draft_revision)sql"};

constexpr statement lock_revision{"flows.lock_revision", R"sql(
select from postrider.flow where flow_id = $1 and draft_revision = $2 for update)sql"};

// After the lock, so that a version which another just published is seen.
constexpr statement select_same{"flows.same", R"sql(
select v.version from postrider.flow f
join postrider.flow_version v on (v.flow_id, v.version, v.digest) = (f.flow_id, f.published_version, f.draft_digest)
where f.flow_id = $1)sql"};

// The flow's row is locked.
constexpr statement insert_version{"flows.insert_version", R"sql(
insert into postrider.flow_version (flow_id, version, published_by, note, origin, document)
select f.flow_id, postrider.next_version(f), $2, $3, $4, f.draft
from postrider.flow f where f.flow_id = $1
returning version)sql"};

constexpr statement point_to{"flows.point_to", R"sql(
update postrider.flow set published_version = $2, origin = $3, updated_at = postrider.now() where flow_id = $1)sql"};

constexpr statement select_versions{"flows.versions", R"sql(
select version, postrider.iso(published_at), published_by, note, origin, encode(digest, 'hex')
from postrider.flow_version
where flow_id = $1 and (version < $2::bigint or $2::bigint = 0)
order by version desc limit $3)sql"};

constexpr statement select_version{"flows.version", R"sql(
select version, postrider.iso(published_at), published_by, note, origin, encode(digest, 'hex')
from postrider.flow_version where flow_id = $1 and version = $2::bigint)sql"};

constexpr statement select_document{"flows.document", R"sql(
select v.document::text
from postrider.flow f join postrider.flow_version v using (flow_id)
where f.name = $1 and v.version = $2::bigint)sql"};

constexpr statement archive{"flows.archive", R"sql(
update postrider.flow set archived_at = postrider.now(), updated_at = postrider.now()
where flow_id = $1 and archived_at is null)sql"};

constexpr statement unarchive{"flows.unarchive", R"sql(
update postrider.flow set archived_at = null, updated_at = postrider.now()
where flow_id = $1 and archived_at is not null)sql"};

// A call's record has the number of the version and not the flow's name (agent/flow/visit_call):
// every flow that has the number may be the one. It looks at each job that is kept, once.
constexpr statement delete_unused{"flows.delete", R"sql(
delete from postrider.flow f
where flow_id = $1
  and (published_version is null
       or archived_at is not null
          and not exists (
              select from postrider.job j
              where j.input ->> 'flow' = f.name
                 or j.finished_at is null
                    and exists (select from postrider.step s
                                join postrider.flow_version v on s.result = to_jsonb(v.version)
                                where s.job_id = j.job_id and s.key like '%/version' and v.flow_id = f.flow_id)))
returning true)sql"};

// Whether what is published is the product's, whether the document has been a version already, whether
// the draft is what is published, and whether the document is.
constexpr statement judge_shipped{"flows.judge_shipped", R"sql(
select f.flow_id, f.origin = 'shipped' and f.archived_at is null,
       exists (select from postrider.flow_version v
               where v.flow_id = f.flow_id and v.digest = postrider.digest($2::json)),
       f.draft_digest is not distinct from
       (select v.digest from postrider.flow_version v where (v.flow_id, v.version) = (f.flow_id, f.published_version)),
       exists (select from postrider.flow_version v
               where (v.flow_id, v.version) = (f.flow_id, f.published_version) and v.digest = postrider.digest($2::json))
from postrider.flow f where f.name = $1)sql"};

constexpr statement insert_shipped_version{"flows.insert_shipped_version", R"sql(
insert into postrider.flow_version (flow_id, version, published_by, origin, document)
select f.flow_id, postrider.next_version(f), 'shipped', 'shipped', $2::json
from postrider.flow f where f.flow_id = $1
returning version)sql"};

// What is published changes with it: so the audit knows that it is no person's draft.
constexpr statement replace_draft{"flows.replace_draft", R"sql(
update postrider.flow set draft = $2::json, draft_revision = draft_revision + 1, published_version = $3
where flow_id = $1)sql"};

constexpr statement insert_shipped{"flows.insert_shipped", R"sql(
insert into postrider.flow (name, draft, origin) values ($1, $2::json, 'shipped')
on conflict (name) do nothing
returning flow_id)sql"};

constexpr statement select_published{"flows.published", R"sql(
select flow_id, name, published_version from postrider.flow
where published_version is not null and archived_at is null
order by name collate "C")sql"};

constexpr statement select_moment{"flows.moment", R"sql(
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint)sql"};

// A flow that can be deleted was archived or never published, and the reader may have missed that.
// Rows of a dump may say transactions that this cluster has not come to: none of those was just written.
constexpr statement select_changes{"flows.changes", R"sql(
select f.flow_id, f.name, case when f.archived_at is null then f.published_version end
from postrider.flow f
where f.changed_in >= $1::text::xid8 and ($1 = '0' or f.changed_in < pg_snapshot_xmax(pg_current_snapshot()))
union all
select null, g.name, null
from postrider.flow_gone g
where g.changed_in >= $1::text::xid8 and ($1 = '0' or g.changed_in < pg_snapshot_xmax(pg_current_snapshot()))
  and not exists (select from postrider.flow f where f.name = g.name))sql"};

// Each is looked up by its key: a plan by the tables' sizes would read all of them.
constexpr statement select_openings{"flows.openings", R"sql(
select f.flow_id, f.name, f.published_version, v.opening::text
from unnest($1::bigint[]) as asked (flow_id)
cross join lateral (select f.flow_id, f.name, f.published_version from postrider.flow f
                    where f.flow_id = asked.flow_id and f.archived_at is null offset 0) f
cross join lateral (select v.opening from postrider.flow_version v
                    where (v.flow_id, v.version) = (f.flow_id, f.published_version) offset 0) v)sql"};

constexpr statement select_openings_with{"flows.openings_with", R"sql(
select f.flow_id, f.name, f.published_version, v.opening::text
from postrider.flow_version v join postrider.flow f on (f.flow_id, f.published_version) = (v.flow_id, v.version)
where f.archived_at is null and v.words @> array[$1]
order by f.name)sql"};

constexpr statement lock_taken{"flows.lock_taken", R"sql(
select pg_advisory_xact_lock(hashtextextended('postrider.publishing', 0)))sql"};

constexpr base::names<flow_origin, 2> origins{{
    {flow_origin::shipped, "shipped"},
    {flow_origin::own, "own"},
}};

constexpr base::names<shipped_outcome, 4> shipped_outcomes{{
    {shipped_outcome::installed, "installed"},
    {shipped_outcome::upgraded, "upgraded"},
    {shipped_outcome::unchanged, "unchanged"},
    {shipped_outcome::left_to_own, "left_to_own"},
}};

flow_origin origin_from(std::string const& name) {
    if (auto const origin = base::named(origins, name)) return *origin;
    throw database_error("a flow has no known origin");
}

flow_row flow_from(row const& from) {
    flow_row row;
    row.id = from.id<flow_id>(0);
    row.name = from.text(1);
    row.description = from.text(2);
    row.origin = origin_from(from.text(3));
    row.published = from.optional_int64(4);
    row.published_at = from.optional_text(5);
    row.published_by = from.text(6);
    row.changed = from.boolean(7);
    row.revision = from.int64(8);
    row.created_at = from.text(9);
    row.updated_at = from.text(10);
    row.archived_at = from.optional_text(11);
    return row;
}

flow_version_row read_version_row(row const& from) {
    flow_version_row row;
    row.version = from.int64(0);
    row.published_at = from.text(1);
    row.published_by = from.text(2);
    row.note = from.text(3);
    row.origin = origin_from(from.text(4));
    row.digest = from.text(5);
    return row;
}

published_row read_published(row const& from) {
    return {from.id<flow_id>(0), from.text(1), from.int64(2)};
}

opening_row read_opening(row const& from) {
    return {read_published(from), from.text(3)};
}

void publish_shipped(
    transaction& tx, flow_id flow, std::string_view document, bool replaces_draft = false
) {
    auto const version = tx.query(insert_shipped_version, {flow, document}).at(0).int64(0);
    if (replaces_draft) tx.query(replace_draft, {flow, document, version});
    tx.query(point_to, {flow, version, to_string(flow_origin::shipped)});
}

} // namespace

std::string_view to_string(flow_origin origin) noexcept {
    return base::name_of(origins, origin);
}

std::string_view to_string(shipped_outcome outcome) noexcept {
    return base::name_of(shipped_outcomes, outcome);
}

bool fits_flow_name(std::string_view name) noexcept {
    auto const plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    auto const inside = [&](char c) { return plain(c) || c == '_' || c == '-'; };
    return !name.empty() && name.size() <= 63 && plain(name.front()) &&
           std::ranges::all_of(name, inside);
}

bool fits_flow_note(std::string_view note) noexcept {
    return base::count_characters(note) <= flow_note_limit;
}

std::optional<flow_row> create_flow(
    transaction& tx, std::string_view name, std::string_view document
) {
    if (tx.query(insert_flow, {name, document}).empty()) return std::nullopt;
    return find_flow(tx, name);
}

std::optional<flow_row> find_flow(transaction& tx, std::string_view name) {
    auto const found = tx.query(select_flow, {name});
    if (found.empty()) return std::nullopt;
    return flow_from(found.front());
}

std::optional<flow_row> lock_flow(transaction& tx, std::string_view name) {
    if (tx.query(lock_row, {name}).empty()) return std::nullopt;
    return find_flow(tx, name);
}

std::vector<flow_row> list_flows(
    transaction& tx, std::string_view after, int limit, bool archived
) {
    std::vector<flow_row> all;
    for (auto const& each : tx.query(select_flows, {after, limit, archived}))
        all.push_back(flow_from(each));
    return all;
}

std::string read_draft(transaction& tx, flow_id flow) {
    return tx.query(select_draft, {flow}).at(0).text(0);
}

std::optional<std::int64_t> save_draft(
    transaction& tx, flow_id flow, std::string_view document, std::int64_t from
) {
    auto const saved = tx.query(update_draft, {flow, document, from});
    if (saved.empty()) return std::nullopt;
    return saved.front().int64(0);
}

std::optional<publication> publish_draft(
    transaction& tx,
    flow_id flow,
    std::int64_t from,
    std::string_view by,
    std::string_view note,
    flow_origin origin
) {
    if (tx.query(lock_revision, {flow, from}).empty()) return std::nullopt;
    if (auto const same = tx.query(select_same, {flow}); !same.empty())
        return publication{same.front().int64(0), false};
    auto const version =
        tx.query(insert_version, {flow, by, note, to_string(origin)}).at(0).int64(0);
    tx.query(point_to, {flow, version, to_string(origin)});
    return publication{version, true};
}

std::vector<flow_version_row> list_versions(
    transaction& tx, flow_id flow, std::int64_t before, int limit
) {
    std::vector<flow_version_row> all;
    for (auto const& each : tx.query(select_versions, {flow, before, limit}))
        all.push_back(read_version_row(each));
    return all;
}

std::optional<flow_version_row> find_version(transaction& tx, flow_id flow, std::int64_t version) {
    auto const found = tx.query(select_version, {flow, version});
    if (found.empty()) return std::nullopt;
    return read_version_row(found.front());
}

std::optional<std::string> read_version(
    transaction& tx, std::string_view name, std::int64_t version
) {
    auto const found = tx.query(select_document, {name, version});
    if (found.empty()) return std::nullopt;
    return found.front().text(0);
}

void archive_flow(transaction& tx, flow_id flow) {
    tx.query(archive, {flow});
}

void unarchive_flow(transaction& tx, flow_id flow) {
    tx.query(unarchive, {flow});
}

bool delete_flow(transaction& tx, flow_id flow) {
    return !tx.query(delete_unused, {flow}).empty();
}

shipped_outcome ensure_shipped(
    transaction& tx, std::string_view name, std::string_view document, shipping manner
) {
    auto const created = tx.query(insert_shipped, {name, document});
    if (!created.empty()) {
        publish_shipped(tx, created.front().id<flow_id>(0), document);
        return shipped_outcome::installed;
    }
    tx.query(lock_row, {name});
    auto const row = tx.query(judge_shipped, {name, document}).at(0);
    auto const flow = row.id<flow_id>(0);
    if (!row.boolean(1)) return shipped_outcome::left_to_own;
    bool const is_there = row.boolean(manner == shipping::newer ? 2 : 4);
    if (is_there) return shipped_outcome::unchanged;
    publish_shipped(tx, flow, document, row.boolean(3));
    return shipped_outcome::upgraded;
}

std::vector<published_row> list_published(transaction& tx) {
    std::vector<published_row> all;
    for (auto const& each : tx.query(select_published)) all.push_back(read_published(each));
    return all;
}

flow_changes list_changes(transaction& tx, std::optional<std::int64_t> since) {
    flow_changes changes;
    changes.moment = tx.query(select_moment).at(0).int64(0);
    // Another cluster, brought back from a backup perhaps, counts its own transactions.
    changes.complete = !since || changes.moment < *since;
    for (auto const& each : tx.query(select_changes, {changes.complete ? 0 : *since})) {
        if (each.optional_int64(2))
            changes.published.push_back(read_published(each));
        else
            changes.gone.push_back(each.text(1));
    }
    return changes;
}

std::vector<opening_row> list_openings(transaction& tx, std::vector<flow_id> const& of) {
    std::vector<std::int64_t> ids;
    for (auto const flow : of) ids.push_back(base::raw(flow));
    std::vector<opening_row> all;
    auto const found = tx.query(select_openings, {fmt::format("{{{}}}", fmt::join(ids, ","))});
    for (auto const& each : found) all.push_back(read_opening(each));
    return all;
}

std::vector<opening_row> list_openings(transaction& tx, std::string_view mention) {
    std::vector<opening_row> all;
    for (auto const& each : tx.query(select_openings_with, {mention}))
        all.push_back(read_opening(each));
    return all;
}

void lock_publishing(transaction& tx) {
    tx.query(lock_taken);
}

} // namespace postrider::storage
