-- What was done and by whom: inserted with its effect, never changed, and chained by lane, so that a row that was
-- changed, taken out or put in between shows. Nothing that a person said stands here: see audit_content.

create function postrider.audit_fits(number bigint, content_hash bytea, hash bytea) returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when number <= 0 then 'audit_number_check'
        when octet_length(content_hash) <> 32 then 'audit_content_hash_check'
        when octet_length(hash) <> 32 then 'audit_hash_check'
    end;
begin
    return rule is null or postrider.row_refused('audit', rule);
end $$;
comment on function postrider.audit_fits(bigint, bytea, bytea) is 'the CHECK of audit';

create table postrider.audit (
    lane_id      bigint not null,
    number       bigint not null,
    job_id       bigint,
    nonce        bigint not null default 0,
    created_at   timestamptz not null,
    kind         text not null,
    actor        text not null,
    subject      text not null,
    detail       json not null,
    content_hash bytea,
    hash         bytea not null,
    primary key (lane_id, number),
    constraint audit_fits check (postrider.audit_fits(number, content_hash, hash))
);
create index audit_time on postrider.audit (created_at, lane_id, number);
comment on table postrider.audit is
    'model calls, tool calls, refusals, approvals, budgets'' stops and what operators did; a chain for each lane, checked by audit_verify()';
comment on column postrider.audit.lane_id is 'whose chain; 0 = what belongs to no lane. Lanes that are gone keep their chain';
comment on column postrider.audit.number is 'within the chain, from 1, without gaps: whoever writes the next one holds the lock of the lane''s row in lane_run';
comment on column postrider.audit.nonce is 'drawn by the server: a commit that is sent again finds its rows by it; 0 = written by a function of this schema';
comment on column postrider.audit.kind is 'what happened: model_call, tool_call, refusal, budget_stop, approval, or the name of the operation';
comment on column postrider.audit.actor is 'on whose word: user:ID, a flow, a token of the API, who ran the command line, or a session of SQL';
comment on column postrider.audit.subject is 'what it was done to: the key of a step, an approval, a lane, a flow, …';
comment on column postrider.audit.detail is 'names, numbers and states before and after; no words of people';
comment on column postrider.audit.content_hash is 'SHA-256 of what was asked, which stands in audit_content where the configuration says so; null = there is no such text';
comment on column postrider.audit.hash is 'SHA-256 of the hash before it and of this row, by audit_link()';

create table postrider.audit_content (
    lane_id    bigint not null,
    number     bigint not null,
    created_at timestamptz not null,
    content    text not null,
    primary key (lane_id, number)
);
create index audit_content_time on postrider.audit_content using brin (created_at) with (pages_per_range = 32);
comment on table postrider.audit_content is
    'what was asked, in full, where audit.content is set; it may go (retention, erase): the chain holds its hash and stays valid';

-- The chain of what belongs to no lane has no lane's row to lock.
insert into postrider.duty values ('audit');
