// What a search among many parts costs, with the settings of the connections by which flows search.
#include "tests/integration/agent/knowledge_world.hpp"

#include <array>

namespace postrider::tests::knowledge_scale_test {
namespace {

// Documents of the collection 1, 5,000 parts together; and how many of them a search looks at.
constexpr std::array many_parts{
    R"sql(
insert into postrider.document (collection_id, name, source, generation, incoming, state, parts)
select 1, 'd' || n, 'd' || n, 1, 1, 'ready', 100 from generate_series(1, 50) n
)sql",
    R"sql(
insert into postrider.document_part (document_id, collection_id, generation, number, heading, content, words)
select d.document_id, 1, 1, n, '', c.content, postrider.part_words(1, '', c.content, 'en')
from postrider.document d cross join generate_series(1, 100) n
cross join lateral (select 'Lamp' || (d.document_id * 100 + n) || ' is kept by keeper' || n as content) c
)sql",
    "analyze postrider.document",
    "analyze postrider.document_part",
    R"sql(
create function public.looked_at() returns bigint language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
    perform from postrider.search_parts(1, 'Who is keeper7 of lamp4207?', 'en', null, '{}', 0, 10);
    return (select coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0) from pg_stat_xact_user_tables
            where schemaname = 'postrider' and relname = 'document_part');
end $$
)sql"};

class knowledge_scale : public knowledge_fixture {};

TEST_F(knowledge_scale, of_many_parts_looks_at_those_alone_that_have_the_words) {
    for (auto const* sql : many_parts) w.execute(sql);

    EXPECT_LT(std::stoi(w.value("select public.looked_at()")), 1'000);
    EXPECT_THAT(
        found("Who is keeper7 of lamp4207?"),
        testing::Contains(testing::HasSubstr("Lamp4207 is kept by keeper7"))
    );
}

} // namespace
} // namespace postrider::tests::knowledge_scale_test
