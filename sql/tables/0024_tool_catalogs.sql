-- What servers of [mcp.NAME] offered, once for all the turns that were offered it: a turn's step names the digest.

create table postrider.tool_catalog (
    used_at timestamptz not null default postrider.now(),
    digest  text primary key,
    tools   json not null
);
create index tool_catalog_age on postrider.tool_catalog (used_at);
comment on table postrider.tool_catalog is
    'lists of tools as models were offered them, by their digest; the step PART of an agent with tools of servers names it as "catalog"';
comment on column postrider.tool_catalog.used_at is 'when a turn last recorded it, to the hour';
