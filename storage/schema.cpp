#include "storage/schema.hpp"

#include <algorithm>
#include <charconv>

namespace postrider::storage {

namespace {

constexpr statement find_tables{
    "schema.tables",
    "select to_regclass('postrider.migration') is not null, exists (select from pg_attribute "
    "where attrelid = to_regclass('postrider.migration') and attname = 'digest')"};

constexpr statement find_migrations{
    "schema.migrations",
    "select number, name, digest, breaking from postrider.migration order by number"};

constexpr statement find_sources{
    "schema.sources",
    // The column may still be to come.
    "select name, digest, coalesce((to_jsonb(s) ->> 'number')::int, 0) > $1::int "
    "from postrider.source s order by name"};

std::string unreleased(std::string_view evidence) {
    return "the database was made by an unreleased postrider (" + std::string(evidence) +
           ") and cannot be brought up to date: give this version an empty database, or drop the "
           "schema postrider with all its data";
}

std::string too_new(std::int64_t number, int newest) {
    return "the database has migration " + std::to_string(number) +
           ", which this version (schema " + std::to_string(newest) +
           ") does not understand: start a newer version";
}

// Of the files of tables/.
void inspect_migrations(rows const& applied, schema const& files, schema_state& state) {
    int const newest = newest_number(files);
    std::size_t matched = 0;
    for (auto const& migration : applied) {
        state.number = static_cast<int>(migration.int64(0));
        if (state.number > newest) {
            state.newer = true;
            if (migration.boolean(3) && state.refusal.empty())
                state.refusal = too_new(state.number, newest);
        } else if (matched == files.tables.size() || files.tables[matched].name != migration.text(1) ||
                   files.tables[matched].digest != migration.text(2)) {
            state.refusal = unreleased("its " + migration.text(1) + " differs");
            return;
        } else
            ++matched;
    }
    for (auto const& file : files.tables.subspan(matched)) state.due.push_back(&file);
}

// Of the files of functions/ and views/.
void inspect_sources(rows const& applied, schema const& files, schema_state& state) {
    std::vector<schema_file const*> missing;
    for (auto const& file : files.functions) missing.push_back(&file);
    for (auto const& file : files.views) missing.push_back(&file);
    for (auto const& source : applied) {
        if (source.boolean(2)) state.newer = true;
        auto const file = std::ranges::find(missing, source.text(0), &schema_file::name);
        if (file == missing.end())
            state.gone.push_back(source.text(0));
        else if ((*file)->digest == source.text(1))
            missing.erase(file);
    }
    state.due.insert(state.due.end(), missing.begin(), missing.end());
}

} // namespace

int number_of(schema_file const& file) {
    int number = 0;
    auto const digits = file.name.substr(file.name.find('/') + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

int newest_number(schema const& files) {
    return files.tables.empty() ? 0 : number_of(files.tables.back());
}

schema_state inspect_schema(transaction& tx, schema const& files) {
    schema_state state;
    auto const tables = tx.query(find_tables).at(0);
    bool const present = tables.boolean(0);
    if (present && !tables.boolean(1)) {
        state.refusal = unreleased("it keeps no digests of its schema");
        return state;
    }
    inspect_migrations(present ? tx.query(find_migrations) : rows{}, files, state);
    if (!state.refusal.empty()) return state;
    inspect_sources(present ? tx.query(find_sources, {files.number}) : rows{}, files, state);
    if (state.newer) {
        state.due.clear();
        state.gone.clear();
    }
    return state;
}

} // namespace postrider::storage
