-- Vectors of memories, where the extension pgvector is there and a server for embeddings is configured. Their table is made when they are
-- first wanted, of one dimension; nothing else needs the extension.

create or replace function postrider.vector_schema() returns name language sql stable as $$
    select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'
$$;
comment on function postrider.vector_schema() is 'where pgvector is; null: it is not installed in this database';

create or replace function postrider.vector_note(model text) returns text language sql immutable parallel safe as $$
    select 'vectors of memories for the search by meaning, all by the model ' || model
$$;
comment on function postrider.vector_note(text) is 'the comment of the table of vectors: it names their model';

create or replace function postrider.prepare_vectors(model text, dimension int) returns text language plpgsql as $$
declare
    place name := postrider.vector_schema();
    present int;
begin
    perform pg_advisory_xact_lock(hashtext('postrider.memory_embedding'));
    if place is null then
        if not exists (select from pg_available_extensions a where a.name = 'vector') then return 'missing'; end if;
        begin
            create extension vector;
        exception when insufficient_privilege then
            return 'denied';
        end;
        place := postrider.vector_schema();
    end if;
    select a.atttypmod into present from pg_attribute a
    where a.attrelid = to_regclass('postrider.memory_embedding') and a.attname = 'embedding';
    if present = dimension
       and obj_description(to_regclass('postrider.memory_embedding'), 'pg_class') = postrider.vector_note(model) then
        return 'ready';
    end if;
    drop table if exists postrider.memory_embedding;
    update postrider.memory m set embedding_refused = null where m.embedding_refused is not null; -- another server may take them
    execute format('create table postrider.memory_embedding (
        memory_id bigint primary key references postrider.memory on delete cascade,
        user_id bigint not null, chat_id bigint not null, bot_id bigint not null,
        embedding %I.vector(%s) not null)', place, dimension);
    create index memory_embedding_of_owner on postrider.memory_embedding (user_id, chat_id, bot_id);
    if dimension <= 2000 then -- more than that HNSW does not index
        execute format('create index memory_embedding_nearest on postrider.memory_embedding using hnsw (embedding %I.vector_cosine_ops)', place);
    end if;
    execute format('comment on table postrider.memory_embedding is %L', postrider.vector_note(model));
    return 'ready';
end $$;
comment on function postrider.prepare_vectors(text, int) is
    'for the server: makes the table of vectors, anew where it is of another model or dimension; ready, missing (no pgvector on this machine) or denied (our role may not create the extension)';

create or replace function postrider.keep_embedding(memory bigint, vector text, model text, dimension int) returns boolean language plpgsql as $$
declare
    m postrider.memory;
begin
    if obj_description(to_regclass('postrider.memory_embedding'), 'pg_class') is distinct from postrider.vector_note(model) then
        return false;
    end if;
    select * into m from postrider.memory x where x.memory_id = memory for no key update;
    if m.memory_id is null then return false; end if; -- forgotten meanwhile
    execute format('insert into postrider.memory_embedding (memory_id, user_id, chat_id, bot_id, embedding)
                    values ($1, $2, $3, $4, $5::%I.vector) on conflict (memory_id) do update set embedding = excluded.embedding',
                   postrider.vector_schema())
    using m.memory_id, m.user_id, m.chat_id, m.bot_id, vector;
    update postrider.memory x set embedding_model = model, embedding_dimension = dimension, embedding_refused = null where x.memory_id = memory;
    return true;
end $$;
comment on function postrider.keep_embedding(bigint, text, text, int) is 'stores a memory''s vector; false: there is no such memory, or the table is of another model';

-- A vector of another dimension than those of the table finds nothing. Few vectors of an owner are all compared: that is exact, and an
-- index over everybody's would look at many of others.
create or replace function postrider.recall_by_meaning(bot bigint, person bigint, chat bigint, question text, most int)
returns table (memory_id bigint, similarity float8) language plpgsql stable rows 10 as $$
declare
    place constant name := case when question is not null then postrider.vector_schema() end;
    compared_all constant int := 1000;
    own int;
begin
    if place is null or to_regclass('postrider.memory_embedding') is null then return; end if;
    select count(*) into own
    from (select from postrider.memory_embedding e where e.user_id = person and e.chat_id = chat and e.bot_id = bot limit compared_all + 1) e;
    if own <= compared_all then
        return query execute format(
            'with own as materialized (
                 select e.memory_id, e.embedding from postrider.memory_embedding e where e.user_id = $2 and e.chat_id = $3 and e.bot_id = $1)
             select o.memory_id, 1 - (o.embedding operator(%1$I.<=>) $4::%1$I.vector) from own o
             order by o.embedding operator(%1$I.<=>) $4::%1$I.vector, o.memory_id desc limit $5', place)
        using bot, person, chat, question, most;
        return;
    end if;
    perform set_config('hnsw.ef_search', '100', true);
    -- Versions before 0.8 refuse it.
    if exists (select from pg_extension e where e.extname = 'vector' and string_to_array(e.extversion, '.')::int[] >= '{0,8}') then
        perform set_config('hnsw.iterative_scan', 'strict_order', true);
    end if;
    return query execute format(
        'select e.memory_id, 1 - (e.embedding operator(%1$I.<=>) $4::%1$I.vector)
         from postrider.memory_embedding e
         where e.user_id = $2 and e.chat_id = $3 and e.bot_id = $1
         order by e.embedding operator(%1$I.<=>) $4::%1$I.vector limit $5', place)
    using bot, person, chat, question, most;
exception when data_exception then
    return;
end $$;
comment on function postrider.recall_by_meaning(bigint, bigint, bigint, text, int) is
    'the memories of an owner whose vectors are nearest to that of a question; nothing without pgvector, vectors or a question';

-- By reciprocal rank: who is among the first of both searches comes before who leads in one of them.
create or replace function postrider.recall_fused(
    bot bigint, person bigint, chat bigint, question text, language text, vector text, least_score float8, most int, shown_lane bigint,
    shown_since bigint, as_of timestamptz
) returns table (memory_id bigint, score float8) language sql stable rows 10 as $$
    with by_words as materialized (
        select r.memory_id, r.score, row_number() over (order by r.score desc, r.memory_id desc) as place
        from postrider.recall_by_words(bot, person, chat, question, language, 0, 4 * most, shown_lane, shown_since, as_of) r
    ), by_meaning as materialized (
        select r.memory_id, r.similarity, row_number() over (order by r.similarity desc, r.memory_id desc) as place
        from postrider.recall_by_meaning(bot, person, chat, vector, 4 * most) r
        cross join lateral (select from postrider.memory m
                            where m.memory_id = r.memory_id and (m.expires_at is null or m.expires_at > postrider.now())
                              and (as_of is null or m.created_at <= as_of) limit 1) m
        where shown_since = 0 or not postrider.memory_is_shown(r.memory_id, shown_lane, shown_since)
    ), fused as (
        select coalesce(w.memory_id, n.memory_id) as memory_id, greatest(coalesce(w.score, 0), coalesce(n.similarity, 0)) as score,
               coalesce(1.0 / (60 + w.place), 0) + coalesce(1.0 / (60 + n.place), 0) as reciprocal
        from by_words w full join by_meaning n on n.memory_id = w.memory_id
    )
    select f.memory_id, f.score from fused f where f.score >= least_score
    order by f.reciprocal desc, f.score desc, f.memory_id desc limit most
$$;
comment on function postrider.recall_fused(bigint, bigint, bigint, text, text, text, float8, int, bigint, bigint, timestamptz) is
    'the memories of an owner that fit a question best, by their words and, with its vector, by their meaning';
