#pragma once
// SQL that makes public.places_of(word): the tables of the schema in which a word stands, in any column, also as bytes. As
// "message=2 step=1"; "" = nowhere.

namespace postrider::tests {

inline constexpr auto word_places = R"sql(
create function public.places_of(word text) returns text language plpgsql as $$
declare
    place text;
    found_in bigint;
    places text := '';
begin
    for place in select c.relname from pg_class c
                 where c.relnamespace = 'postrider'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1
    loop
        execute format('select count(*) from postrider.%I x where x::text like %L or x::text like %L', place, '%' || word || '%',
                       '%' || encode(convert_to(word, 'UTF8'), 'hex') || '%') into found_in;
        if found_in > 0 then places := places || format('%s=%s ', place, found_in); end if;
    end loop;
    return rtrim(places);
end $$
)sql";

} // namespace postrider::tests
