-- Requests from outside that wait for a job's answer.

create or replace function postrider.answering_job(job bigint) returns bigint language sql stable as $$
    with recursive heir as (
        select j.job_id, j.output from postrider.job j where j.job_id = job
        union
        select n.job_id, n.output from heir h
        join postrider.job n on n.job_id = coalesce(h.output ->> 'coalesced_into', h.output ->> 'routed_to')::bigint)
    select max(job_id) from heir where coalesce(output ->> 'coalesced_into', output ->> 'routed_to') is null
$$;
comment on function postrider.answering_job(bigint) is
    'the job itself, or the one that its lane''s mailbox put in its place';
