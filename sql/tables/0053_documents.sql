-- Documents of collections, and the parts in which they are found. A document that is added again is read into a generation of its own:
-- the parts of the one before answer until that is whole.

create table postrider.document (
    document_id     bigint generated always as identity primary key,
    collection_id   bigint not null references postrider.collection on delete cascade,
    generation      int not null default 0,
    incoming        int not null default 0,
    name            text not null check (char_length(name) between 1 and 400),
    source          text not null check (char_length(source) between 1 and 2000),
    media_type      text not null default '' check (char_length(media_type) <= 200),
    bytes           bigint not null default 0,
    digest          text not null default '',
    incoming_digest text not null default '',
    title           text not null default '',
    pages           int,
    parts           int not null default 0,
    parts_done      int not null default 0,
    state           text not null default 'reading' check (state in ('reading', 'embedding', 'ready', 'failed')),
    error_code      text,
    error_message   text,
    job_id          bigint,
    metadata        jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
    user_id         bigint,
    chat_id         bigint,
    bot_id          bigint,
    answers_of      bigint,
    created_at      timestamptz not null default postrider.now(),
    updated_at      timestamptz not null default postrider.now(),
    unique (collection_id, name),
    constraint document_error check ((state = 'failed') = (error_code is not null and error_message is not null))
);
create index document_of_job on postrider.document (job_id) where job_id is not null;
create index document_of_person on postrider.document (user_id) where user_id is not null;
create index document_answers_of on postrider.document (answers_of) where answers_of is not null;
create index document_unfinished on postrider.document (updated_at) where state in ('reading', 'embedding');
create index document_metadata on postrider.document using gin (metadata jsonb_path_ops);
comment on table postrider.document is 'documents of collections, with how far they are read';
comment on column postrider.document.generation is 'the parts that a search finds are of this one; 0 = none are';
comment on column postrider.document.incoming is 'the one that is being made, or was made last';
comment on column postrider.document.source is 'the address that it was loaded from, else the name of its file';
comment on column postrider.document.digest is 'SHA-256 of the bytes whose parts answer, in hex; empty = none do';
comment on column postrider.document.incoming_digest is 'likewise of the bytes that are being read; empty = they are to be loaded yet';
comment on column postrider.document.parts_done is 'parts of the generation that is being made: written, then with vectors';
comment on column postrider.document.error_code is 'why the last try to read it failed';
comment on column postrider.document.job_id is 'the job that reads it, or read it last';
comment on column postrider.document.user_id is 'who sent in a chat what is being read, or was read last; null = nobody did';
comment on column postrider.document.answers_of is 'likewise what answers: postrider erase deletes both';

create table postrider.document_content (
    document_id bigint not null references postrider.document on delete cascade,
    generation  int not null,
    number      int not null,
    content     bytea not null,
    primary key (document_id, generation, number)
);
comment on table postrider.document_content is 'the bytes of documents, in pieces, as long as a job has to read them';

create table postrider.document_part (
    part_id       bigint generated always as identity primary key,
    document_id   bigint not null references postrider.document on delete cascade,
    collection_id bigint not null,
    generation    int not null,
    number        int not null,
    page          int,
    heading       text not null,
    content       text not null,
    words         tsvector not null,
    unique (document_id, generation, number)
);
create index document_part_words on postrider.document_part using gin (words);
comment on table postrider.document_part is 'the parts of documents that a search finds';
comment on column postrider.document_part.number is 'from 1, in the order of the document';
comment on column postrider.document_part.heading is 'the headings above it, the outermost first: "A > B"';
comment on column postrider.document_part.words is 'for the search: as those of a memory, with #N for the collection N';
