-- Lists of jobs by a rare flow, by a class of errors and by their time. None of these columns changes while a job runs well, so that its
-- updates stay HOT. The planner knows how common a flow is from the index alone, and only if that is not partial.
create index job_flow on postrider.job ((input ->> 'flow'), job_id);
create index job_error_class on postrider.job (error_class, job_id) where error_class is not null;
-- Ids ascend with the time, but for a clock that was set back. So times are looked up in blocks of ids (queue/admin/created_ids.cpp).
create index job_created on postrider.job ((job_id / 8000), created_at);
