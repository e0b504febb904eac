-- How parts of documents are found: by their words and, with vectors, by their meaning.

create or replace function postrider.part_words(collection bigint, heading text, content text, language text)
returns tsvector language sql immutable parallel safe as $$
    select postrider.memory_vector(heading || ' ' || content, language) || array_to_tsvector(array['#' || collection])
$$;
comment on function postrider.part_words(bigint, text, text, text) is 'the column words of a part of a document';

create or replace function postrider.fitting_documents(collection bigint, filter jsonb) returns bigint[] language sql stable as $$
    select case when filter <> '{}' then array(
        select x.document_id from postrider.document x
        where x.collection_id = collection and x.generation > 0 and x.metadata @> filter limit 20000) end
$$;
comment on function postrider.fitting_documents(bigint, jsonb) is 'for the search: the documents of a collection that fit a filter, 20,000 at most; null = there is no filter';

create or replace function postrider.few_documents(collection bigint, fitting bigint[], most int default 1000) returns bigint[]
language plpgsql stable as $$
declare
    few bigint[] := '{}';
    parts_of_few bigint := 0;
    d record;
begin
    for d in select x.document_id, x.parts from postrider.document x
             where x.collection_id = collection and x.generation > 0 and (fitting is null or x.document_id = any(fitting)) limit most + 1
    loop
        few := few || d.document_id;
        parts_of_few := parts_of_few + greatest(d.parts, 1);
        if parts_of_few > most then return null; end if;
    end loop;
    return few;
end $$;
comment on function postrider.few_documents(bigint, bigint[], int) is
    'for the search: the documents of a collection that are looked at, where they have so few parts together that all are compared; null = they have more';

-- Words that more than one part in 50 has, as the statistics of the table tell.
create or replace function postrider.common_part_words() returns table (word text, share float8) language sql stable rows 100 as $$
    select e.word, e.share from pg_stats s
    cross join lateral unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) e(word, share)
    where s.schemaname = 'postrider' and s.tablename = 'document_part' and s.attname = 'words' and e.word is not null and e.share > 0.02
$$;
comment on function postrider.common_part_words() is 'for the search: words that many parts of documents have, and the share of the parts';

-- A common word would bring too many parts: it counts little, and is looked for in those that have other words, or all of them. Of a
-- rarer one so many parts as `most_hits` are looked at. The score is a part's share of what all words count: 1 = it has them all.
-- The index of words has bitmaps alone, and what a filter leaves only a plan of its own knows: with the settings of batches all parts
-- would be read.
create or replace function postrider.parts_by_words(collection bigint, question text, language text, fitting bigint[], most int)
returns table (part_id bigint, score float8) language plpgsql stable rows 40
set enable_seqscan = off set enable_bitmapscan = on set plan_cache_mode = force_custom_plan set jit = off as $$
declare
    most_hits constant int := 300;
    all_parts constant float8 := greatest((select c.reltuples from pg_class c where c.oid = 'postrider.document_part'::regclass), 1000);
    own constant tsquery := ('''#' || collection || '''')::tsquery;
    common tsvector;
begin
    select array_to_tsvector(coalesce(array_agg(c.word), '{}')) into common from postrider.common_part_words() c;
    return query
    with asked as materialized (
        select a.word, a.query, common @@ a.query as is_common
        from postrider.memory_words(question, postrider.memory_language(question, language, ''), language <> '') a limit 12
    ), whole as materialized (
        select p.part_id from postrider.document_part p
        join postrider.document d on d.document_id = p.document_id and d.generation = p.generation
        where p.words @@ (own && (select string_agg('(' || a.query::text || ')', ' & ')::tsquery from asked a))
          and (fitting is null or p.document_id = any(fitting))
        limit 100
    ), hit as materialized (
        select a.word, h.part_id
        from (select x.word, x.query from asked x
              where not x.is_common or not exists (select from whole) and not exists (select from asked y where not y.is_common)) a
        cross join lateral (
            select p.part_id from postrider.document_part p
            join postrider.document d on d.document_id = p.document_id and d.generation = p.generation
            where p.words @@ (own && a.query) and (fitting is null or p.document_id = any(fitting))
            limit case when fitting is null then most_hits else most_hits / 3 end) h
    ), weight as materialized (
        select a.word, a.query, ln(1 + case when a.is_common then 10 else all_parts / greatest(h.hits, 1) end) as weight,
               a.is_common or h.hits >= most_hits as is_checked
        from asked a cross join lateral (select count(*) as hits from hit x where x.word = a.word) h
        where a.is_common or h.hits > 0
    ), candidate as materialized (
        select x.part_id from (
            select h.part_id, sum(w.weight) as worth from hit h join weight w using (word) group by h.part_id
            order by worth desc, h.part_id desc limit greatest(60, most)) x
        union
        select a.part_id from whole a
    ), present as materialized (
        select c.part_id, p.words || ''::tsvector as words from candidate c
        cross join lateral (select x.words from postrider.document_part x where x.part_id = c.part_id limit 1) p
    ), pair as (
        select c.part_id, h.word from candidate c join hit h using (part_id)
        union
        select p.part_id, w.word from present p join weight w on w.is_checked or exists (select from whole a where a.part_id = p.part_id)
        where p.words @@ w.query
    ), scored as (
        select p.part_id, sum(w.weight) / (select sum(x.weight) from weight x) as score from pair p join weight w using (word) group by p.part_id
    )
    select s.part_id, s.score from scored s join present p on p.part_id = s.part_id
    order by s.score desc, ts_rank(p.words, (select string_agg('(' || a.query::text || ')', ' | ')::tsquery from asked a)) desc, s.part_id desc
    limit most;
end $$;
comment on function postrider.parts_by_words(bigint, text, text, bigint[], int) is 'the parts of a collection that have words of a question, best first';

create or replace function postrider.part_vector_note(model text) returns text language sql immutable parallel safe as $$
    select 'vectors of parts of documents for the search by meaning, all by the model ' || model
$$;
comment on function postrider.part_vector_note(text) is 'the comment of the table of vectors: it names their model';

-- After prepare_vectors, which sees to the extension.
create or replace function postrider.prepare_part_vectors(model text, dimension int) returns text language plpgsql as $$
declare
    place constant name := postrider.vector_schema();
    present int;
begin
    if place is null then return 'missing'; end if;
    perform pg_advisory_xact_lock(hashtext('postrider.document_embedding'));
    select a.atttypmod into present from pg_attribute a
    where a.attrelid = to_regclass('postrider.document_embedding') and a.attname = 'embedding';
    if present = dimension
       and obj_description(to_regclass('postrider.document_embedding'), 'pg_class') = postrider.part_vector_note(model) then
        return 'ready';
    end if;
    drop table if exists postrider.document_embedding;
    execute format('create table postrider.document_embedding (
        part_id bigint primary key references postrider.document_part on delete cascade,
        document_id bigint not null, collection_id bigint not null, generation int not null,
        embedding %I.vector(%s))', place, dimension); -- null: the model refused the part
    create index document_embedding_of_document on postrider.document_embedding (document_id, generation);
    if dimension <= 2000 then -- more than that HNSW does not index
        execute format('create index document_embedding_nearest on postrider.document_embedding using hnsw (embedding %I.vector_cosine_ops)', place);
    end if;
    execute format('comment on table postrider.document_embedding is %L', postrider.part_vector_note(model));
    return 'ready';
end $$;
comment on function postrider.prepare_part_vectors(text, int) is
    'for the server: makes the table of vectors of parts, anew where it is of another model or dimension; ready, or missing (no pgvector in this database)';

create or replace function postrider.keep_part_embedding(part bigint, vector text, model text) returns boolean language plpgsql as $$
declare
    p postrider.document_part;
begin
    if obj_description(to_regclass('postrider.document_embedding'), 'pg_class') is distinct from postrider.part_vector_note(model) then
        return false;
    end if;
    select * into p from postrider.document_part x where x.part_id = part for key share;
    if p.part_id is null then return false; end if; -- removed meanwhile
    execute format('insert into postrider.document_embedding (part_id, document_id, collection_id, generation, embedding)
                    values ($1, $2, $3, $4, $5::%I.vector) on conflict (part_id) do nothing', postrider.vector_schema())
    using p.part_id, p.document_id, p.collection_id, p.generation, vector;
    return true;
end $$;
comment on function postrider.keep_part_embedding(bigint, text, text) is
    'for the jobs of documents: stores the vector of a part, or null: the model refused it; false: there is no such part, or the table is of another model';

create or replace function postrider.forget_refused_parts() returns bigint language plpgsql as $$
declare
    forgotten bigint := 0;
begin
    if to_regclass('postrider.document_embedding') is not null then
        delete from postrider.document_embedding e where e.embedding is null;
        get diagnostics forgotten = row_count;
    end if;
    return forgotten;
end $$;
comment on function postrider.forget_refused_parts() is 'for knowledge reembed: parts that the model refused are asked for again';

-- Of one document's generation, or of all that answer.
create or replace function postrider.bare_parts(document bigint, making int, after bigint, most int)
returns table (part_id bigint, content text) language plpgsql stable rows 64 as $$
begin
    if to_regclass('postrider.document_embedding') is null then return; end if;
    if document is not null then
        return query
        select p.part_id, p.heading || E'\n' || p.content from postrider.document_part p
        where p.document_id = document and p.generation = making and p.part_id > after
          and not exists (select from postrider.document_embedding e where e.part_id = p.part_id)
        order by p.part_id limit most;
    else
        return query
        select p.part_id, p.heading || E'\n' || p.content from postrider.document_part p
        join postrider.document d on d.document_id = p.document_id and d.generation = p.generation
        where p.part_id > after and not exists (select from postrider.document_embedding e where e.part_id = p.part_id)
        order by p.part_id limit most;
    end if;
end $$;
comment on function postrider.bare_parts(bigint, int, bigint, int) is 'parts without a vector that no model refused, behind an id, with the text that a vector is making of';

create or replace function postrider.embedded_parts(collection bigint) returns bigint language plpgsql stable as $$
begin
    if to_regclass('postrider.document_embedding') is null then return 0; end if;
    return (select count(*) from postrider.document d
            join postrider.document_embedding e on e.document_id = d.document_id and e.generation = d.generation
            where d.collection_id = collection and e.embedding is not null);
end $$;
comment on function postrider.embedded_parts(bigint) is 'how many parts of a collection have a vector';

create or replace function postrider.embedded_parts_of(document bigint, answering int) returns bigint language plpgsql stable as $$
begin
    if to_regclass('postrider.document_embedding') is null then return 0; end if;
    return (select count(*) from postrider.document_embedding e
            where e.document_id = document and e.generation = answering and e.embedding is not null);
end $$;
comment on function postrider.embedded_parts_of(bigint, int) is 'how many parts of a document''s generation have a vector';

-- Few parts are all compared; among more the index finds the nearest, and goes on where the filter leaves too few.
create or replace function postrider.parts_by_meaning(collection bigint, question text, fitting bigint[], few bigint[], most int)
returns table (part_id bigint, similarity float8) language plpgsql stable rows 40 set enable_seqscan = off set enable_sort = off as $$
declare
    place constant name := case when question is not null then postrider.vector_schema() end;
begin
    if place is null or to_regclass('postrider.document_embedding') is null then return; end if;
    if few is not null then
        return query execute format(
            'select x.part_id, 1 - x.distance from (
                 select e.part_id, e.embedding operator(%1$I.<=>) $1::%1$I.vector as distance
                 from postrider.document_embedding e
                 join postrider.document d on d.document_id = e.document_id and d.generation = e.generation
                 where e.document_id = any($2) and e.embedding is not null offset 0) x
             order by x.distance, x.part_id limit $3', place)
        using question, few, most;
        return;
    end if;
    perform set_config('hnsw.ef_search', '120', true);
    -- Versions before 0.8 refuse it.
    if exists (select from pg_extension e where e.extname = 'vector' and string_to_array(e.extversion, '.')::int[] >= '{0,8}') then
        perform set_config('hnsw.iterative_scan', case when fitting is null then 'strict_order' else 'relaxed_order' end, true);
    end if;
    return query execute format(
        'select x.part_id, 1 - x.distance from (
             select e.part_id, e.embedding operator(%1$I.<=>) $1::%1$I.vector as distance
             from postrider.document_embedding e
             join postrider.document d on d.document_id = e.document_id and d.generation = e.generation
             where e.collection_id = $2 and ($3 is null or e.document_id = any($3)) and e.embedding is not null
             order by e.embedding operator(%1$I.<=>) $1::%1$I.vector limit $4) x
         order by x.distance, x.part_id', place)
    using question, collection, fitting, most;
exception when data_exception then
    return; -- a question of another dimension than the table's
end $$;
comment on function postrider.parts_by_meaning(bigint, text, bigint[], bigint[], int) is
    'the parts of a collection whose vectors are nearest to that of a question; nothing without pgvector, vectors or a question';

-- By reciprocal rank, as recall_fused has it. Some part is always the nearest one: without a word of the question it has to be near.
create or replace function postrider.search_parts(
    collection bigint, question text, language text, vector text, filter jsonb, least_score float8, most int, least_similarity float8 default 0)
returns table (part_id bigint, score float8) language plpgsql stable rows 10 as $$
declare
    fitting constant bigint[] := postrider.fitting_documents(collection, filter);
    few constant bigint[] := postrider.few_documents(collection, fitting);
begin
    return query
    with by_words as materialized (
        select r.part_id, r.score, row_number() over () as place
        from postrider.parts_by_words(collection, question, language, fitting, 4 * most) r
    ), by_meaning as materialized (
        select r.part_id, r.similarity, row_number() over () as place
        from postrider.parts_by_meaning(collection, vector, fitting, few, case when fitting is null then 4 * most else 2 * most end) r
    ), fused as (
        select coalesce(w.part_id, n.part_id) as part_id, greatest(coalesce(w.score, 0), coalesce(n.similarity, 0)) as score,
               coalesce(1.0 / (60 + w.place), 0) + coalesce(1.0 / (60 + n.place), 0) as reciprocal
        from by_words w full join by_meaning n on n.part_id = w.part_id
        where w.part_id is not null or n.similarity >= least_similarity
    )
    select f.part_id, f.score from fused f where f.score >= least_score
    order by f.reciprocal desc, f.score desc, f.part_id desc limit most;
end $$;
comment on function postrider.search_parts(bigint, text, text, text, jsonb, float8, int, float8) is
    'the parts of a collection that fit a question best, by their words and, with its vector, by their meaning';
