-- Long-term memories: how they are found by words, and what becomes of them when a message that they come from does not stay.

create or replace function postrider.memory_configuration(language text) returns regconfig language sql immutable parallel safe as $$
    select case language
        when 'ar' then 'arabic'::regconfig when 'da' then 'danish'::regconfig when 'de' then 'german'::regconfig
        when 'el' then 'greek'::regconfig when 'en' then 'english'::regconfig when 'es' then 'spanish'::regconfig
        when 'fi' then 'finnish'::regconfig when 'fr' then 'french'::regconfig when 'hi' then 'hindi'::regconfig
        when 'hu' then 'hungarian'::regconfig when 'it' then 'italian'::regconfig when 'nl' then 'dutch'::regconfig
        when 'no' then 'norwegian'::regconfig when 'pt' then 'portuguese'::regconfig when 'ro' then 'romanian'::regconfig
        when 'ru' then 'russian'::regconfig when 'sv' then 'swedish'::regconfig when 'tr' then 'turkish'::regconfig
        else 'simple'::regconfig end
$$;
comment on function postrider.memory_configuration(text) is 'for the search: the text search configuration of a language; without one: simple';

-- Short texts have few words, so the one is meant that leaves out most of them: small words tell a language. One that
-- would leave out all of them is not meant: "dog" is a small word of Danish. The owner's usual language is another only
-- if that leaves out two words more.
create or replace function postrider.memory_language(content text, known text, usual text) returns text language sql immutable parallel safe as $$
    select case when known <> '' then known else coalesce((
        select l.code
        from unnest(array[usual] || array['en', 'de', 'es', 'fr', 'ru', 'it', 'pt', 'nl', 'sv', 'da', 'no', 'fi', 'hu', 'ro', 'tr', 'el'])
             with ordinality l(code, place)
        cross join lateral (select coalesce(sum(cardinality(w.positions)), 0) as words
                            from unnest(to_tsvector(postrider.memory_configuration(l.code), content)) w) kept
        cross join (select sum(cardinality(w.positions)) as words from unnest(to_tsvector('simple'::regconfig, content)) w) present
        where l.code <> '' and kept.words > 0 and (kept.words < present.words or l.code = usual)
        order by kept.words - (l.code = usual)::int, l.place limit 1), usual) end
$$;
comment on function postrider.memory_language(text, text, text) is
    'the language of a text where it is not known, of an owner with that usual one; empty: no language has a small word of it, and the owner has none';

create or replace function postrider.owner_language(person bigint, chat bigint, bot bigint) returns text language sql stable as $$
    select coalesce(
        (select left(p.language, 2) from postrider.person p where p.user_id = person),
        (select m.language from postrider.memory m
         where m.user_id = person and m.chat_id = chat and m.bot_id = bot and m.language <> ''
         group by m.language order by count(*) desc, m.language limit 1), '')
$$;
comment on function postrider.owner_language(bigint, bigint, bigint) is
    'the usual language of a memory''s owner: what the person has set, or that of most of the owner''s memories; empty = not known';

create or replace function postrider.memory_vector(content text, language text) returns tsvector language sql immutable parallel safe as $$
    select to_tsvector(postrider.memory_configuration(language), content) || to_tsvector('simple'::regconfig, content)
$$;
comment on function postrider.memory_vector(text, text) is 'the column words of a memory';

-- Words that the language leaves out are none. A memory in another language has the word as it stands. A language that is only guessed and
-- leaves out a single word may be wrong about that one. Where it leaves out all of them, a memory is meant that has them all as they stand.
create or replace function postrider.memory_words(question text, language text, is_sure boolean) returns table (word bigint, query tsquery)
language sql stable parallel safe as $$
    with stem as materialized (
        select p.place, f.lexeme
        from unnest(to_tsvector(postrider.memory_configuration(language), left(question, 4000))) f
        cross join lateral unnest(f.positions) p(place)
    ), plain as materialized (
        select p.place, f.lexeme
        from unnest(to_tsvector('simple'::regconfig, left(question, 4000))) f
        cross join lateral unnest(f.positions) p(place)
    ), place_kept as materialized (
        select p.place from plain p
        where p.place = any(array(select s.place from stem s))
           or not is_sure and exists (select from stem)
              and 1 = (select count(*) from plain x where x.place <> all(array(select s.place from stem s)))
    ), form as materialized (
        select f.place, '''' || replace(replace(f.lexeme, '\', '\\'), '''', '''''') || '''' as word
        from (select * from stem union select * from plain) f
        where f.place = any(array(select k.place from place_kept k)) or not exists (select from place_kept)
    ), asked as (
        select min(x.place) as place, x.forms::tsquery as query
        from (select case when exists (select from place_kept) then f.place end as kept, min(f.place) as place,
                     string_agg(f.word, case when exists (select from place_kept) then ' | ' else ' & ' end order by f.word) as forms
              from form f group by 1) x
        group by x.forms
    )
    select row_number() over (order by a.place), a.query from asked a order by a.place limit 24
$$;
comment on function postrider.memory_words(text, text, boolean) is
    'the words of a question that a search looks for, at most 24: each with its stem and as it stands';

create or replace function postrider.memory_is_shown(memory bigint, lane bigint, since bigint) returns boolean language sql stable as $$
    select since > 0 and bool_and(s.lane_id = lane and s.job_id >= since) is true
    from postrider.memory_source s where s.memory_id = memory
$$;
comment on function postrider.memory_is_shown(bigint, bigint, bigint) is
    'whether all messages that a memory comes from are among those of the lane from that job on, which a model is shown anyway';

-- A word counts the more, the fewer of the owner's memories have it. The score is a memory's share of what all words count that any of
-- them has: 1 = it has them all.
create or replace function postrider.recall_by_words(
    bot bigint, person bigint, chat bigint, question text, language text, least_score float8, most int, shown_lane bigint, shown_since bigint,
    as_of timestamptz
) returns table (memory_id bigint, score float8) language sql stable rows 10 as $$
    with asked as materialized (
        select a.word, a.query
        from (select postrider.memory_language(question, language, case when language = '' then postrider.owner_language(person, chat, bot)
                                                                        else '' end) as code offset 0) l
        cross join lateral postrider.memory_words(question, l.code, language <> '') a
    ), hit as materialized (
        select m.memory_id, m.words from postrider.memory m
        where m.user_id = person and m.chat_id = chat and m.bot_id = bot
          and m.words @@ (select string_agg('(' || a.query::text || ')', ' | ')::tsquery from asked a)
          and (m.expires_at is null or m.expires_at > postrider.now()) and (as_of is null or m.created_at <= as_of)
    ), pair as materialized (
        select h.memory_id, a.word from hit h join asked a on h.words @@ a.query
    ), own as materialized (
        select count(*) as memories from postrider.memory m where m.user_id = person and m.chat_id = chat and m.bot_id = bot
    ), weight as materialized (
        select p.word, ln(1 + o.memories::float8 / count(*)) as weight from pair p cross join own o group by p.word, o.memories
    ), scored as (
        select p.memory_id, sum(w.weight) / (select sum(x.weight) from weight x) as score
        from pair p join weight w using (word) group by p.memory_id
    )
    select s.memory_id, s.score from scored s
    where s.score >= least_score and (shown_since = 0 or not postrider.memory_is_shown(s.memory_id, shown_lane, shown_since))
    order by s.score desc, s.memory_id desc limit most
$$;

comment on function postrider.recall_by_words(bigint, bigint, bigint, text, text, float8, int, bigint, bigint, timestamptz) is
    'the memories of an owner that have words of a question, best first; without those whose messages a model is shown anyway, and without those that were added after a time';

-- What a summary covered is summarised again, as far as it is left, by the next job. Locks: the message, then its memories, by their ids.
create or replace function postrider.forget_derived() returns trigger language plpgsql as $$
declare
    derived constant bigint[] := array(
        select x.memory_id from postrider.memory x
        where x.memory_id = any(array(
            select s.memory_id from postrider.memory_source s
            where s.lane_id = old.lane_id and s.job_id = old.job_id and s.position = old.position))
        order by x.memory_id for update);
begin
    if cardinality(derived) = 0 then return null; end if;
    update postrider.memory_progress p set job_id = f.job_id, position = f.position - 1
    from (select distinct on (s.lane_id) s.lane_id, s.job_id, s.position
          from postrider.memory_source s join postrider.memory m using (memory_id)
          where s.memory_id = any(derived) and m.kind = 'summary'
          order by s.lane_id, s.job_id, s.position) f
    where p.lane_id = f.lane_id and (p.job_id, p.position) > (f.job_id, f.position - 1);
    delete from postrider.memory m where m.memory_id = any(derived);
    return null;
end $$;
comment on function postrider.forget_derived() is 'deletes the memories that come from a message that was edited or deleted';
create or replace trigger message_changed after update of content, removed_at on postrider.message
    for each row when (old.content is distinct from new.content or old.removed_at is distinct from new.removed_at)
    execute function postrider.forget_derived();
create or replace trigger message_gone after delete on postrider.message
    for each row execute function postrider.forget_derived();

-- Retention takes sources away one by one: what a job made goes with the last of them.
create or replace function postrider.forget_sourceless() returns trigger language plpgsql as $$
begin
    delete from postrider.memory m
    where m.memory_id = any(array(
        select x.memory_id from postrider.memory x
        where x.memory_id = any(array(select distinct g.memory_id from gone g)) and x.kind <> 'note'
          and not exists (select from postrider.memory_source s where s.memory_id = x.memory_id)
        order by x.memory_id for update));
    return null;
end $$;
comment on function postrider.forget_sourceless() is 'deletes facts and summaries whose last message was deleted by retention';
create or replace trigger memory_source_gone after delete on postrider.memory_source
    referencing old table as gone for each statement execute function postrider.forget_sourceless();

-- A group that became a supergroup has another id: what is remembered of it stays its own. What stands there already is not there twice.
create or replace function postrider.memory_chat_moved() returns trigger language plpgsql as $$
declare
    theirs constant bigint[] := array(
        select m.memory_id from postrider.memory m
        where m.user_id = 0 and m.chat_id = new.chat_id and m.bot_id = new.bot_id order by m.memory_id for update);
begin
    if cardinality(theirs) = 0 then return null; end if;
    delete from postrider.memory m
    where m.memory_id = any(theirs) and m.kind <> 'summary'
      and exists (select from postrider.memory o
                  where o.user_id = 0 and o.chat_id = new.migrated_to and o.bot_id = new.bot_id
                    and md5(case when o.kind = 'summary' then o.made_by else o.content end) = md5(m.content));
    update postrider.memory m set chat_id = new.migrated_to where m.memory_id = any(theirs);
    if to_regclass('postrider.memory_embedding') is not null then
        execute 'update postrider.memory_embedding set chat_id = $1 where memory_id = any($2)' using new.migrated_to, theirs;
    end if;
    return null;
end $$;
comment on function postrider.memory_chat_moved() is 'takes what a bot remembers of a group to the supergroup that it became';
create or replace trigger memory_chat_moved after insert or update of migrated_to on postrider.chat
    for each row when (new.migrated_to is not null) execute function postrider.memory_chat_moved();

create or replace function postrider.forget_memory(memory bigint) returns boolean language plpgsql as $$
declare
    m postrider.memory;
begin
    perform postrider.bound_transaction();
    delete from postrider.memory x where x.memory_id = memory returning * into m;
    if m.memory_id is null then return false; end if;
    perform postrider.audit_append(0, 'memory_forget', null, 'memory:' || memory,
        json_build_object('bot', m.bot_id, 'user', m.user_id, 'chat', m.chat_id, 'kind', m.kind));
    return true;
end $$;
comment on function postrider.forget_memory(bigint) is 'deletes a memory, with a row in the audit; false: there is none';

-- In groups a memory may come from what several people said: it goes, and the next job remembers the rest.
create or replace function postrider.erase_memories(person bigint) returns jsonb language plpgsql as $$
declare
    gone bigint;
begin
    delete from postrider.memory m where m.memory_id = any(array(
        select x.memory_id from postrider.memory x
        where x.user_id = person
           or x.memory_id = any(array(select s.memory_id from postrider.memory_source s where s.user_id = person))
        order by x.memory_id for update));
    get diagnostics gone = row_count;
    return jsonb_build_object('memory', gone);
end $$;
comment on function postrider.erase_memories(bigint) is
    'for erase_rows: deletes the memories of a person, and those of groups that come from what they said';

create or replace function postrider.prune_memories() returns bigint language sql as $$
    with gone as (
        delete from postrider.memory
        where memory_id = any(array(select m.memory_id from postrider.memory m
                                    where m.expires_at < postrider.now()
                                    order by m.expires_at limit 5000 for update skip locked))
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_memories() is 'for the maintenance: deletes memories that have expired, at most 5000 at a time; returns how many';
