-- Requests from outside that wait for a job's answer.

create or replace function postrider.answering_job(job bigint) returns bigint language plpgsql stable as $$
declare
    answers bigint := job;
    after bigint;
begin
    loop
        select coalesce(j.output ->> 'coalesced_into', j.output ->> 'routed_to')::bigint into after
        from postrider.job j where j.job_id = answers;
        if not found then return null; end if;
        if after is null then return answers; end if;
        answers := after;
    end loop;
end $$;
comment on function postrider.answering_job(bigint) is
    'the job itself, or the one that its lane''s mailbox put in its place';
