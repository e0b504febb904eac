-- Tasks as the stores read them.

create or replace function postrider.task_json(t postrider.task) returns json language sql stable as $$
    select json_build_object(
        'task_id', t.task_id, 'title', t.title, 'priority', t.priority, 'due_at', postrider.iso(t.due_at),
        'due_whole_day', t.due_whole_day, 'created_at', postrider.iso(t.created_at), 'completed_at', postrider.iso(t.completed_at))
$$;
comment on function postrider.task_json(postrider.task) is 'a task without its owner; what task_call keeps of an answer';
