-- Who may read. A role of the whole cluster: another database''s migration may be making it right now.
do $$
begin
    if to_regrole('postrider_reader') is null then
        create role postrider_reader nologin;
        comment on role postrider_reader is 'may read postrider''s tables and views, secrets excepted';
        -- Members do not inherit these: admit_reader copies them.
        alter role postrider_reader set statement_timeout = '30s';
        alter role postrider_reader set idle_in_transaction_session_timeout = '60s';
        alter role postrider_reader set search_path = postrider;
    end if;
exception
    when duplicate_object or unique_violation then null;
    when insufficient_privilege then
        raise notice 'postrider_reader was not made: this user may not create roles; docs/monitor.md has the recipe';
end $$;
