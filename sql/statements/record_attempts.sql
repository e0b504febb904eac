-- Records attempts of steps.
--
-- A commit whose answer was lost is sent again under the same lease: the rows may stand already. An attempt ended `ago`
-- microseconds before this statement, and not before `after`, microseconds since 1970; without an `ago` it is dated by its
-- commit.
--
-- $1: a row for each attempt
-- returns: i, and when the latest attempt of the unit ended (microseconds since 1970)
-- order: 70
with w as materialized (
    select t.*, greatest(postrider.now() - coalesce(ago, 0) * interval '1 us',
                         'epoch'::timestamptz + after * interval '1 us') as ended
    from json_to_recordset($1::json) as t(i int, job_id bigint, key text, attempt smallint, seq smallint, outcome text,
         result jsonb, error_class text, error text, error_data jsonb, policy jsonb, usage jsonb, took bigint, ago bigint, after bigint,
         next_in bigint, until bigint, node_id bigint)
), s as (
    insert into postrider.step (job_id, key, attempt, seq, outcome, result, error_class, error, error_data, policy,
                                usage, started_at, ended_at, next_at, node_id)
    select job_id, key, attempt, seq, outcome, result, error_class, error, error_data, policy, usage,
           ended - took * interval '1 us', ended,
           coalesce(to_timestamp(until / 1000.0), ended + next_in * interval '1 ms'), node_id
    from w
    on conflict do nothing
)
select i, (extract(epoch from max(ended)) * 1000000)::bigint from w where ago is not null group by i
