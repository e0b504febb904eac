#include "agent/knowledge/collections.hpp"

#include "base/json/text.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::knowledge {

namespace {

#define POSTRIDER_COLLECTION                                                                       \
    "select c.collection_id, c.name, c.description, to_json(c.flows), c.people, "                  \
    "postrider.iso(c.created_at), postrider.iso(c.updated_at), d.documents, d.parts, d.bytes, "    \
    "postrider.embedded_parts(c.collection_id) from postrider.collection c cross join lateral "    \
    "(select count(*) as documents, coalesce(sum(x.bytes), 0)::bigint as bytes, "                  \
    "coalesce(sum(x.parts) filter (where x.generation > 0), 0)::bigint as parts "                  \
    "from postrider.document x where x.collection_id = c.collection_id) d "

constexpr storage::statement newest_collections{
    "collections.list",
    POSTRIDER_COLLECTION "where c.name <> '-' order by c.collection_id desc limit $1::bigint"};

constexpr storage::statement collection_by_name{
    "collections.find", POSTRIDER_COLLECTION "where c.name = $1"};

#undef POSTRIDER_COLLECTION

constexpr storage::statement insert_collection{"collections.create", R"(
insert into postrider.collection (name, description, flows, people)
values ($1, $2, case when $3::json is not null then array(select json_array_elements_text($3::json)) end, $4)
on conflict do nothing returning collection_id)"};

constexpr storage::statement id_of_collection{
    "collections.id", "select c.collection_id from postrider.collection c where c.name = $1"};

constexpr storage::statement held_collection{
    "collections.hold",
    "select c.collection_id from postrider.collection c where c.name = $1 for key share"};

constexpr storage::statement update_collection{"collections.change", R"(
update postrider.collection c
set description = $2, people = $4, updated_at = postrider.now(),
    flows = case when $3::json is not null then array(select json_array_elements_text($3::json)) end
where c.name = $1 returning c.collection_id)"};

constexpr storage::statement drop_collection{
    "collections.remove", "select postrider.remove_collection($1)"};

constexpr storage::statement names_of_collections{"collections.options", R"(
select c.name, c.description from postrider.collection c
where c.name > $2 and c.name <> '-' and (position(lower($1) in c.name) > 0 or position(lower($1) in lower(c.description)) > 0)
order by c.name limit $3::bigint)"};

std::optional<std::vector<std::string>> flows_in(storage::row const& row, std::size_t column) {
    if (row.null(column)) return std::nullopt;
    std::vector<std::string> flows;
    auto const names = row.json(column);
    for (auto const& name : names.as_array()) flows.emplace_back(name.as_string());
    return flows;
}

stored_collection collection_in(storage::row const& row) {
    stored_collection collection;
    collection.id = row.int64(0);
    collection.name = row.text(1);
    collection.description = row.text(2);
    collection.access = {flows_in(row, 3), allowed_people_from_string(row.view(4)).value()};
    collection.created_at = row.text(5);
    collection.updated_at = row.text(6);
    collection.documents = row.int64(7);
    collection.parts = row.int64(8);
    collection.bytes = row.int64(9);
    collection.embedded = row.int64(10);
    return collection;
}

storage::param flows_param(collection_access const& access) {
    if (!access.flows) return std::nullopt;
    return base::json_text(boost::json::array(access.flows->begin(), access.flows->end()));
}

std::optional<std::int64_t> first_number(storage::rows const& rows) {
    return rows.empty() ? std::nullopt : rows.front().optional_int64(0);
}

} // namespace

std::vector<stored_collection> list_collections(storage::transaction& tx, int limit) {
    std::vector<stored_collection> collections;
    for (auto const& row : tx.query(newest_collections, {limit}))
        collections.push_back(collection_in(row));
    return collections;
}

std::optional<stored_collection> find_collection(storage::transaction& tx, std::string_view name) {
    if (!is_collection_name(name)) return std::nullopt;
    auto const rows = tx.query(collection_by_name, {name});
    return rows.empty() ? std::nullopt : std::optional(collection_in(rows.front()));
}

std::optional<std::int64_t> collection_id(storage::transaction& tx, std::string_view name) {
    if (!is_collection_name(name)) return std::nullopt;
    return first_number(tx.query(id_of_collection, {name}));
}

std::optional<std::int64_t> create_collection(
    storage::transaction& tx, new_collection const& collection
) {
    return first_number(tx.query(
        insert_collection,
        {collection.name,
         collection.description,
         flows_param(collection.access),
         to_string(collection.access.people)}
    ));
}

std::int64_t find_or_create_collection(storage::transaction& tx, std::string_view name) {
    // One that is there may be removed before it is held.
    for (;;) {
        if (auto const id = create_collection(tx, {.name = std::string(name)})) return *id;
        if (auto const id = first_number(tx.query(held_collection, {name}))) return *id;
    }
}

bool change_collection(storage::transaction& tx, new_collection const& collection) {
    auto const& access = collection.access;
    return !tx.query(
                  update_collection,
                  {collection.name,
                   collection.description,
                   flows_param(access),
                   to_string(access.people)}
    )
                .empty();
}

std::optional<std::int64_t> remove_collection(storage::transaction& tx, std::string_view name) {
    return first_number(tx.query(drop_collection, {name}));
}

std::vector<collection_option> collection_options(
    storage::transaction& tx, std::string_view search, std::string_view after, int limit
) {
    std::vector<collection_option> options;
    for (auto const& row : tx.query(names_of_collections, {search, after, limit}))
        options.push_back({row.text(0), row.text(1)});
    return options;
}

} // namespace postrider::agent::knowledge
