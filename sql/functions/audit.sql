-- The audit's chains: how a row is linked to the one before it, who writes rows, and how chains are checked.

-- What of a row its link covers. Of the row's own values alone, so that it reads the same for ever.
create or replace function postrider.audit_line(
    lane bigint, number bigint, job bigint, nonce bigint, moment timestamptz, kind text, actor text, subject text, detail json, content bytea
) returns text language sql stable parallel safe as $$
    select json_build_array(lane, number, job, nonce, (extract(epoch from moment) * 1000000)::bigint, kind, actor, subject, detail,
                            encode(content, 'hex'))::text
$$;
comment on function postrider.audit_line(bigint, bigint, bigint, bigint, timestamptz, text, text, text, json, bytea) is
    'a row of audit as the text that its link covers; content = its content_hash';

-- The setting holds the two padded keys of RFC 2104, 64 bytes each; a session of the server has it where audit.key is set.
create or replace function postrider.audit_key() returns bytea language sql stable parallel safe as $$
    select decode(nullif(current_setting('postrider.audit_key', true), ''), 'hex')
$$;
comment on function postrider.audit_key() is 'what this session links rows of audit with; null = no key';

create or replace function postrider.audit_link(previous bytea, line text, key bytea default postrider.audit_key())
returns bytea language sql stable parallel safe as $$
    select case when key is null then sha256(coalesce(previous, ''::bytea) || convert_to(line, 'UTF8'))
                else sha256(substr(key, 65) || sha256(substr(key, 1, 64) || coalesce(previous, ''::bytea) || convert_to(line, 'UTF8'))) end
$$;
comment on function postrider.audit_link(bytea, text, bytea) is
    'the hash of a row of audit, given the hash of the row before it (null for the first) and its audit_line(): SHA-256, or HMAC-SHA-256 where there is a key';

create or replace function postrider.audit_seal(number bigint, hash bytea, key bytea default postrider.audit_key())
returns bytea language sql stable parallel safe as $$
    select postrider.audit_link(hash, json_build_array('end', number)::text, key)
$$;
comment on function postrider.audit_seal(bigint, bytea, bytea) is 'the seal of a row of audit_end';

-- The server and its command line name themselves, and have a role that owns the schema. A person at a client of Postgres
-- is not taken for them, unless they have that role and name themselves so.
create or replace function postrider.by_server() returns boolean language sql stable as $$
    select current_setting('application_name', true) like 'postrider%'
       and pg_has_role(session_user, (select nspowner from pg_namespace where nspname = 'postrider'), 'member')
$$;
comment on function postrider.by_server() is 'whether the session is one of the server''s or of its command line, and not somebody''s client';

-- The server's surfaces say whom they act for; a person who comes by SQL is known by their session.
create or replace function postrider.audit_actor() returns text language sql stable as $$
    select coalesce(case when postrider.by_server() then nullif(current_setting('postrider.actor', true), '') end,
                    concat('sql:', session_user, ' (' || nullif(current_setting('application_name', true), '') || ')'))
$$;
comment on function postrider.audit_actor() is
    'on whose word this transaction acts: the setting postrider.actor of a session of the server, else the session''s user and application';

create or replace function postrider.by_operator() returns boolean language sql stable as $$
    select not postrider.by_server() or coalesce(current_setting('postrider.actor', true), '') <> ''
$$;
comment on function postrider.by_operator() is
    'whether this transaction acts on the word of a person at the API, the command line or SQL, and not for the engine';

-- Workers write their rows by sql/statements/record_audit.sql, which computes the same.
create or replace function postrider.audit_append(lane bigint, kind text, job bigint, subject text, detail json, actor text default null)
returns void language plpgsql as $$
declare
    moment constant timestamptz := postrider.now();
    whose constant text := coalesce(actor, postrider.audit_actor());
    last_number bigint;
    last_hash bytea;
    line text;
    ending postrider.audit_end;
begin
    if lane = 0 then
        perform postrider.bound_transaction();
        perform from postrider.duty d where d.name = 'audit' for update;
    else
        perform from postrider.lane_run r where r.lane_id = lane for update;
    end if;
    select a.number, a.hash into last_number, last_hash
    from postrider.audit a where a.lane_id = lane order by a.number desc limit 1;
    last_number := coalesce(last_number, 0);
    select * into ending from postrider.audit_end e where e.lane_id = lane;
    -- Rows that were cut off leave a gap: what comes later does not hide that they are gone.
    if ending.number > last_number then
        last_number := ending.number;
        last_hash := ending.hash;
    end if;
    last_number := last_number + 1;
    line := postrider.audit_line(lane, last_number, job, 0, moment, kind, whose, subject, detail, null);
    last_hash := postrider.audit_link(last_hash, line);
    insert into postrider.audit (lane_id, number, job_id, created_at, kind, actor, subject, detail, hash)
    values (lane, last_number, job, moment, kind, whose, subject, detail, last_hash);
    update postrider.audit_end e
    set number = last_number, hash = last_hash, seal = postrider.audit_seal(last_number, last_hash)
    where e.lane_id = lane;
end $$;
comment on function postrider.audit_append(bigint, text, bigint, text, json, text) is
    'for the functions of this schema: a row at the end of a lane''s chain, in this transaction; locks the lane''s row, as every writer there does';

-- Goes on behind a row, in the order of chains, so many rows at a time. Links with a key are told from others only by a session
-- that has it. Behind the first of them a row without one is a client's, or somebody put it there.
create or replace function postrider.audit_verify(
    after_lane bigint default -1, after_number bigint default 0, most int default 10000,
    out links bigint, out keyed bigint, out chains bigint, out last_lane bigint, out last_number bigint,
    out broken_lane bigint, out broken_number bigint, out problem text
) language plpgsql stable as $$
declare
    link record;
    before_lane bigint := after_lane;
    before_number bigint := after_number;
    key constant bytea := postrider.audit_key();
    is_keyed boolean;
    -- A client's row in between says nothing of it.
    chain_is_keyed boolean := key is not null and exists (
        select from (select * from postrider.audit o
                     where o.lane_id = after_lane and o.number <= after_number and o.actor not like 'sql:%'
                     order by o.number desc limit 1) a
        where a.hash = postrider.audit_link(
            (select b.hash from postrider.audit b where b.lane_id = a.lane_id and b.number = a.number - 1),
            postrider.audit_line(a.lane_id, a.number, a.job_id, a.nonce, a.created_at, a.kind, a.actor, a.subject, a.detail, a.content_hash)));
    before_hash bytea := (select a.hash from postrider.audit a where a.lane_id = after_lane and a.number = after_number);
begin
    links := 0;
    keyed := 0;
    chains := 0;
    for link in
        select a.*, postrider.audit_line(a.lane_id, a.number, a.job_id, a.nonce, a.created_at, a.kind, a.actor, a.subject, a.detail, a.content_hash) as line,
               c.content
        from postrider.audit a left join lateral (
            select c.content from postrider.audit_content c where c.lane_id = a.lane_id and c.number = a.number offset 0) c on true
        where (a.lane_id, a.number) > (after_lane, after_number)
        order by a.lane_id, a.number limit most
    loop
        if link.lane_id <> before_lane then
            before_number := 0;
            before_hash := null;
            chains := chains + 1;
            chain_is_keyed := false;
        end if;
        is_keyed := key is not null and link.hash = postrider.audit_link(before_hash, link.line, key);
        problem := case
            when link.number <> before_number + 1 then format('what stood between %s and it is gone', before_number)
            when not is_keyed and link.hash <> postrider.audit_link(before_hash, link.line, null) then
                case when key is null then 'it is not what was written, or not in its place, or has a key that is not configured here'
                     else 'it is not what was written, or not in its place' end
            when not is_keyed and chain_is_keyed and link.actor not like 'sql:%' then 'it was written without the key'
            when sha256(convert_to(link.content, 'UTF8')) <> link.content_hash then 'the text beside it is not what was asked'
        end;
        if problem is not null then
            broken_lane := link.lane_id;
            broken_number := link.number;
            return;
        end if;
        before_lane := link.lane_id;
        before_number := link.number;
        before_hash := link.hash;
        links := links + 1;
        keyed := keyed + is_keyed::int;
        chain_is_keyed := chain_is_keyed or is_keyed;
    end loop;
    last_lane := before_lane;
    last_number := before_number;
end $$;
comment on function postrider.audit_verify(bigint, bigint, int) is
    'checks the next rows of audit behind one, all of them from the first when called with nothing: how many, of how many chains that begin there, the last one, and the first broken link, if any';

create or replace function postrider.prune_audit_content(keep interval, most int default 5000) returns bigint language sql as $$
    with gone as (
        delete from postrider.audit_content where ctid = any(array(
            select c.ctid from postrider.audit_content c
            where c.created_at < postrider.now() - keep
            order by c.created_at limit most for update skip locked))
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_audit_content(interval, int) is 'for the maintenance: deletes texts beside the audit that are older; a bounded number. The chains stay valid';
