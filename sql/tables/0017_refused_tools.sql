-- Tools that models' servers refuse.

create table postrider.refused_tool (
    refused_at timestamptz not null default postrider.now(),
    model      text not null,
    tool       text not null,
    reason     text not null,
    primary key (model, tool)
);
comment on table postrider.refused_tool is
    'tools whose definition a model''s server has refused: the model is asked without them; postrider mcp tools shows them for 30 days';
comment on column postrider.refused_tool.reason is 'in the server''s words';
