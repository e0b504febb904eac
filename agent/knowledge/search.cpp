#include "agent/knowledge/search.hpp"

#include "agent/recall/memory.hpp"
#include "base/json/row.hpp"
#include "base/utf8.hpp"
#include "storage/query.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <cmath>

namespace postrider::agent::knowledge {

namespace json = boost::json;

namespace {

// Scores travel as millionths.
constexpr double part_score_units = 1'000'000;

constexpr storage::statement select_parts{
    "search_parts",
    R"(
select t.i, p.content, (r.score * 1000000)::bigint, d.document_id, d.name, p.page, p.heading, d.source, d.metadata
from json_to_recordset($1::json) as t(i int, collection_id bigint, question text, language text, vector text, filter jsonb,
                                      least bigint, least_similarity bigint, most int)
cross join lateral postrider.search_parts(t.collection_id, t.question, t.language, t.vector, t.filter, t.least / 1000000.0::float8,
                                          t.most, t.least_similarity / 1000000.0::float8) with ordinality r(part_id, score, place)
cross join lateral (select * from postrider.document_part x where x.part_id = r.part_id limit 1) p
cross join lateral (select * from postrider.document x where x.document_id = p.document_id limit 1) d
order by t.i, r.place
)",
    20};

constexpr storage::statement select_searched{
    "find_collection",
    R"(
select t.i, c.collection_id, to_json(c.flows), c.people
from json_to_recordset($1::json) as t(i int, name text)
cross join lateral (select * from postrider.collection x where x.name = t.name limit 1) c
)",
    20};

std::string question_row(part_question const& question, bool in_array) {
    auto const text = base::cut_at_character(question.text, longest_query);
    json::value const filter(question.filter);
    base::json_row row{
        {"collection_id", question.collection},
        {"question", text},
        {"language", recall::language_of_memory(text)},
        {"filter", filter},
        {"least", std::llround(question.least_score * part_score_units)},
        {"least_similarity", std::llround(question.least_similarity * part_score_units)},
        {"most", question.most}};
    if (!question.vector.empty()) row.add({"vector", question.vector});
    if (in_array) row.add({"i", 0});
    return std::move(row).text();
}

std::vector<part_result> results_in(storage::rows const& rows) {
    std::vector<part_result> results;
    for (auto const& row : rows) {
        part_result result;
        result.text = row.text(1);
        result.score = std::min(1.0, static_cast<double>(row.int64(2)) / part_score_units);
        result.document_id = row.int64(3);
        result.document = row.text(4);
        result.page = row.optional_int64(5);
        result.heading = row.text(6);
        result.source = row.text(7);
        result.metadata = row.json(8).as_object();
        results.push_back(std::move(result));
    }
    return results;
}

} // namespace

base::awaitable<base::result<std::vector<part_result>>> search_parts(
    storage::batcher& reads, part_question question, base::duration deadline
) {
    storage::write look{&select_parts, question_row(question, false)};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    co_return results_in(*rows);
}

std::vector<part_result> search_parts(storage::transaction& tx, part_question const& question) {
    return results_in(tx.query(select_parts, {"[" + question_row(question, true) + "]"}));
}

base::awaitable<base::result<std::optional<searched_collection>>> find_searched(
    storage::batcher& reads, std::string name, base::duration deadline
) {
    if (!is_collection_name(name)) co_return std::optional<searched_collection>();
    base::json_row row{{"name", name}};
    storage::write look{&select_searched, std::move(row).text()};
    auto const rows = co_await storage::query(reads, std::move(look), deadline);
    if (!rows) co_return rows.error();
    std::optional<searched_collection> found;
    if (rows->empty()) co_return found;
    auto const& stored = rows->front();
    found.emplace();
    found->id = stored.int64(1);
    if (!stored.null(2)) {
        found->access.flows.emplace();
        auto const flows = stored.json(2);
        for (auto const& flow : flows.as_array())
            found->access.flows->emplace_back(flow.as_string());
    }
    found->access.people = allowed_people_from_string(stored.view(3)).value();
    co_return found;
}

std::string citation_of(part_result const& result) {
    return result.page ? fmt::format("{}, page {}", result.document, *result.page)
                       : result.document;
}

json::object to_json(part_result const& result) {
    json::object object{
        {"text", result.text},
        {"score", std::round(result.score * 1'000) / 1'000},
        {"document", result.document},
        {"source", result.source},
        {"document_id", result.document_id},
        {"metadata", result.metadata}};
    if (result.page) object["page"] = *result.page;
    if (!result.heading.empty()) object["heading"] = result.heading;
    return object;
}

} // namespace postrider::agent::knowledge
