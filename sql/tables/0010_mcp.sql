-- The Model Context Protocol: what servers say of their tools, as it was first seen and agreed to, and the sessions of
-- clients of POST /mcp that speak a revision with a handshake.

create table postrider.mcp_tool (
    pinned_at      timestamptz not null default postrider.now(),
    offered_at     timestamptz,
    server         text not null,
    tool           text not null,
    digest         text not null,
    definition     json not null,
    offered_digest text,
    offered        json,
    primary key (server, tool),
    constraint mcp_tool_offer_is_whole check ((offered is null) = (offered_at is null) and (offered is null) = (offered_digest is null))
);
comment on table postrider.mcp_tool is
    'tools of servers of [mcp.NAME] as models are offered them; a definition that has changed since waits for consent: postrider mcp accept';
comment on column postrider.mcp_tool.digest is 'SHA-256 of the definition that was agreed to; the first one that is seen is';
comment on column postrider.mcp_tool.offered is 'what the server says of it now, where that is something else; until it is accepted no model is offered the tool';

create table postrider.mcp_session (
    user_id    bigint not null,
    created_at timestamptz not null default postrider.now(),
    session_id text primary key,
    revision   text not null
);
create index mcp_session_age on postrider.mcp_session (created_at);
comment on table postrider.mcp_session is
    'sessions of POST /mcp: which revision of the protocol was agreed on with whom; they hold nothing else and end by DELETE or after 7 days';
