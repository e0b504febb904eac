-- Jobs begin a run, behind whatever they waited for.
update postrider.job j
    set state = 'running', run_no = j.run_no + 1, started_at = coalesce(j.started_at, postrider.now()), due_at = null,
        wait_reason = null
