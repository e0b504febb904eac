-- Documents of collections: how they are added, replaced and removed.

-- Where a node runs the job, the job says it (agent/flow/run/document_notice.hpp). In a lane beside: no document waits until it is said.
create or replace function postrider.tell_of_stopped_document(reader bigint) returns void language plpgsql as $$
declare
    notice record;
begin
    select 'failures:' || j.lane_id as beside,
           (select jsonb_object_agg(m.key, m.value) from jsonb_each(j.input) m where m.key in ('bot', 'chat', 'thread', 'user', 'lane'))
           || jsonb_build_object('message', 0, 'text', j.input -> 'when_stopped') as input
    into notice
    from postrider.job j
    where j.job_id = reader and j.finished_at is not null and j.input ->> 'when_stopped' <> '';
    if not found then return; end if;
    insert into postrider.lane (lane_key) values (notice.beside) on conflict (lane_key) do nothing;
    perform postrider.job_later((select l.lane_id from postrider.lane l where l.lane_key = notice.beside), 'failure_notice', notice.input,
                                postrider.now(), time_limit => interval '1 day');
end $$;
comment on function postrider.tell_of_stopped_document(bigint) is
    'for the functions of this schema: whoever sent a document in a chat hears that the job which was to read it is over';
-- Of a server that made vectors before a document was ready: its job ends the reading.
update postrider.document set state = 'reading' where state = 'embedding';
comment on column postrider.document.parts_done is 'parts that are stored of the generation that is being made';

-- What a job still does for a document ends. Its later rows find nothing to change.
create or replace function postrider.stop_document(document bigint) returns void language plpgsql as $$
declare
    reader constant bigint := (select d.job_id from postrider.document d where d.document_id = document);
begin
    if reader is not null and exists (select from postrider.job j where j.job_id = reader and j.finished_at is null offset 0) then
        perform postrider.job_cancel(reader);
        perform postrider.tell_of_stopped_document(reader);
    end if;
end $$;
comment on function postrider.stop_document(bigint) is 'for the functions of this schema: cancels the job that reads a document';

-- Removed documents wait in a collection of their own until they are swept: many parts take seconds to delete. Nobody else can give
-- a collection its name.
create or replace function postrider.removed_documents() returns bigint language sql stable as $$
    select c.collection_id from postrider.collection c where c.name = '-'
$$;
comment on function postrider.removed_documents() is 'for the functions of this schema: the collection of what was removed; null: nothing was';

-- From then on nothing finds them, and their names are free. Whose they are stays: postrider erase finds them.
create or replace function postrider.discard_documents(discarded bigint[]) returns bigint language plpgsql as $$
declare
    document bigint;
    bin bigint;
    moved bigint;
begin
    for document in select x from unnest(discarded) x order by x loop
        perform postrider.stop_document(document);
    end loop;
    insert into postrider.collection (name) values ('-') on conflict do nothing;
    bin := postrider.removed_documents();
    update postrider.document d
    set collection_id = bin, name = d.document_id::text, source = d.document_id::text, media_type = '', title = '', metadata = '{}',
        generation = 0, digest = '', incoming_digest = '', state = 'failed', error_code = 'removed', error_message = 'It was removed.',
        job_id = null, updated_at = postrider.now()
    where d.document_id = any(array(
        select x.document_id from postrider.document x
        where x.document_id = any(discarded) and x.collection_id <> bin order by x.document_id for update));
    get diagnostics moved = row_count;
    delete from postrider.document_content c where c.document_id = any(discarded);
    return moved;
end $$;
comment on function postrider.discard_documents(bigint[]) is
    'for the functions of this schema: takes documents out of their collections and stops their jobs; sweep_documents deletes them';

create or replace function postrider.sweep_documents(most int default 1000) returns bigint language plpgsql as $$
declare
    document bigint;
    swept bigint := 0;
    gone bigint;
begin
    for document in
        select x.document_id from postrider.document x where x.collection_id = postrider.removed_documents()
        order by x.document_id limit most for update skip locked
    loop
        delete from postrider.document_part p where p.part_id = any(array(
            select y.part_id from postrider.document_part y where y.document_id = document limit most - swept));
        get diagnostics gone = row_count;
        swept := swept + gone;
        exit when swept >= most;
        delete from postrider.document x where x.document_id = document;
        swept := swept + 1;
        exit when swept >= most;
    end loop;
    return swept;
end $$;
comment on function postrider.sweep_documents(int) is 'for the maintenance: deletes so many parts and documents of what was removed; 0: nothing is left';

create or replace function postrider.remove_collection(collection_name text) returns bigint language plpgsql as $$
declare
    c postrider.collection;
    documents bigint;
begin
    perform postrider.bound_transaction();
    select * into c from postrider.collection x where x.name = collection_name and x.name <> '-';
    if c.collection_id is null then return null; end if;
    documents := postrider.discard_documents(array(
        select d.document_id from postrider.document d where d.collection_id = c.collection_id));
    delete from postrider.collection x where x.collection_id = c.collection_id;
    perform postrider.sweep_documents();
    perform postrider.audit_append(0, 'collection_remove', null, 'collection:' || c.name, json_build_object('documents', documents));
    return documents;
end $$;
comment on function postrider.remove_collection(text) is
    'removes a collection with its documents, stops their jobs, and says so in the audit: how many documents it had; null: there is none. Of many parts the maintenance deletes the rest';

create or replace function postrider.remove_document(document bigint) returns boolean language plpgsql as $$
declare
    d postrider.document;
begin
    perform postrider.bound_transaction();
    select * into d from postrider.document x where x.document_id = document;
    if postrider.discard_documents(array[document]) = 0 then return false; end if;
    perform postrider.sweep_documents();
    perform postrider.audit_append(0, 'document_remove', null, 'document:' || d.document_id, json_build_object(
        'collection', (select c.name from postrider.collection c where c.collection_id = d.collection_id), 'digest', d.digest));
    return true;
end $$;
comment on function postrider.remove_document(bigint) is
    'removes a document, stops its job, and says so in the audit; false: there is none. Of many parts the maintenance deletes the rest';

-- The name decides: one that is there is replaced. `job` is the one that reads it, where it is known already. Null where the collection
-- is gone. Unchanged: the same bytes are there, or are being read.
create or replace function postrider.begin_document(
    collection bigint, document_name text, document_source text, type text, size bigint, content_digest text, data jsonb,
    sender bigint, sender_chat bigint, sender_bot bigint, job bigint, out document bigint, out making int, out unchanged boolean
) language plpgsql as $$
declare
    c postrider.collection;
    d postrider.document;
    is_new boolean;
begin
    select * into c from postrider.collection x where x.collection_id = collection for key share;
    if c.collection_id is null then return; end if;
    insert into postrider.document (collection_id, name, source) values (collection, document_name, document_source) on conflict do nothing;
    is_new := found;
    select * into d from postrider.document x where x.collection_id = collection and x.name = document_name for update;
    document := d.document_id;
    making := d.incoming;
    unchanged := false;
    if job is not null and d.job_id = job then return; end if; -- that run had begun it
    if not is_new and content_digest <> '' and d.state <> 'failed'
       and content_digest = (case when d.state = 'ready' then d.digest else d.incoming_digest end) then
        update postrider.document x set metadata = data where x.document_id = d.document_id and x.metadata <> data;
        unchanged := true;
        return;
    end if;
    making := d.incoming + 1;
    delete from postrider.document_part p where p.document_id = d.document_id and p.generation <> d.generation;
    delete from postrider.document_content x where x.document_id = d.document_id;
    update postrider.document x
    set incoming = making, source = document_source, media_type = type, bytes = size, incoming_digest = content_digest, metadata = data,
        parts_done = 0, state = 'reading', error_code = null, error_message = null, job_id = job,
        user_id = sender, chat_id = sender_chat, bot_id = sender_bot, updated_at = postrider.now()
    where x.document_id = d.document_id;
end $$;
comment on function postrider.begin_document(bigint, text, text, text, bigint, text, jsonb, bigint, bigint, bigint, bigint) is
    'for the server: adds a document to a collection, or begins a generation of one that is there';

-- What is null stays as it is. A run that begins a batch again counts some parts twice.
create or replace function postrider.note_document(
    document bigint, new_generation int, size bigint, content_digest text, type text, new_title text, new_pages int, new_parts int, done int
) returns boolean language plpgsql as $$
begin
    update postrider.document d
    set bytes = coalesce(size, d.bytes), incoming_digest = coalesce(content_digest, d.incoming_digest),
        media_type = coalesce(type, d.media_type), title = coalesce(new_title, d.title),
        pages = case when new_parts is not null then new_pages else d.pages end, parts = coalesce(new_parts, d.parts),
        parts_done = least(coalesce(done, d.parts_done), coalesce(new_parts, d.parts)), updated_at = postrider.now()
    where d.document_id = document and d.incoming = new_generation and d.state = 'reading';
    return found;
end $$;
comment on function postrider.note_document(bigint, int, bigint, text, text, text, int, int, int) is
    'for the job: how far a document is read; false: it is gone, or another job reads it';

create or replace function postrider.add_parts(document bigint, new_generation int, language text, parts json) returns void language plpgsql as $$
declare
    d postrider.document;
begin
    select * into d from postrider.document x
    where x.document_id = document and x.incoming = new_generation and x.state = 'reading' for key share;
    if d.document_id is null then return; end if;
    insert into postrider.document_part (document_id, collection_id, generation, number, page, heading, content, words)
    select d.document_id, d.collection_id, new_generation, p.number, p.page, p.heading, p.content,
           postrider.part_words(d.collection_id, p.heading, p.content, language)
    from json_to_recordset(parts) as p(number int, page int, heading text, content text)
    order by p.number
    on conflict do nothing;
end $$;
comment on function postrider.add_parts(bigint, int, text, json) is 'for the job: stores some parts of the generation that it makes';

-- What was loaded is what answers already.
create or replace function postrider.leave_document(document bigint, new_generation int) returns boolean language plpgsql as $$
begin
    update postrider.document d
    set state = 'ready', parts_done = d.parts, user_id = d.answers_of, incoming_digest = d.digest, updated_at = postrider.now()
    where d.document_id = document and d.incoming = new_generation and d.state = 'reading';
    if not found then return false; end if;
    delete from postrider.document_content c where c.document_id = document;
    return true;
end $$;
comment on function postrider.leave_document(bigint, int) is 'for the job: the document has not changed; its parts stay, and whose they are';

-- From then on its parts are the new ones.
create or replace function postrider.finish_document(document bigint, new_generation int) returns boolean language plpgsql as $$
begin
    update postrider.document d
    set generation = new_generation, digest = d.incoming_digest, answers_of = d.user_id, parts_done = d.parts, state = 'ready', error_code = null, error_message = null,
        updated_at = postrider.now()
    where d.document_id = document and d.incoming = new_generation and d.state = 'reading';
    if not found then return false; end if;
    delete from postrider.document_part p where p.document_id = document and p.generation <> new_generation;
    delete from postrider.document_content c where c.document_id = document;
    return true;
end $$;
comment on function postrider.finish_document(bigint, int) is 'for the job: what it made answers from now on; false: the document is gone, or another job makes it';

create or replace function postrider.fail_document(document bigint, new_generation int, code text, message text) returns boolean language plpgsql as $$
begin
    update postrider.document d
    set state = 'failed', error_code = code, error_message = message,
        parts = (select count(*) from postrider.document_part p where p.document_id = document and p.generation = d.generation),
        updated_at = postrider.now()
    where d.document_id = document and d.incoming = new_generation and d.state = 'reading';
    if not found then return false; end if;
    delete from postrider.document_part p
    using postrider.document d
    where d.document_id = document and p.document_id = document and p.generation <> d.generation;
    delete from postrider.document_content c where c.document_id = document;
    return true;
end $$;
comment on function postrider.fail_document(bigint, int, text, text) is 'for the job: the document was not read; parts of before answer still';

-- Of a job that was cancelled while nobody ran it, no node hears.
create or replace function postrider.fail_left_documents() returns bigint language sql as $$
    select count(*) from (
        select postrider.fail_document(d.document_id, d.incoming, 'stopped', 'The job that read it was stopped.'),
               postrider.tell_of_stopped_document(d.job_id)
        from (
            select x.document_id, x.incoming, x.job_id from postrider.document x
            where x.state = 'reading' and x.updated_at < postrider.now() - interval '1 minute'
              and not exists (select from postrider.job j where j.job_id = x.job_id and j.finished_at is null offset 0)
            order by x.document_id limit 1000 for update skip locked) d) f
$$;
comment on function postrider.fail_left_documents() is 'for the maintenance: documents whose job is over without having read them have failed; at most 1000 at a time';

-- Of a document that was added again, what answers and what is being read may be of two people: the other's stays. A title may be of
-- either.
create or replace function postrider.erase_documents(person bigint) returns jsonb language plpgsql as $$
declare
    d postrider.document;
    gone bigint := 0;
begin
    for d in
        select * from postrider.document x where x.user_id = person or x.answers_of = person order by x.document_id for update
    loop
        gone := gone + 1;
        if d.generation > 0 and d.answers_of is distinct from person then
            delete from postrider.document_part p where p.document_id = d.document_id and p.generation <> d.generation;
            delete from postrider.document_content c where c.document_id = d.document_id;
            update postrider.document x
            set state = 'ready', error_code = null, error_message = null, incoming_digest = '', title = '', job_id = null,
                parts = (select count(*) from postrider.document_part p where p.document_id = d.document_id),
                user_id = d.answers_of, chat_id = null, bot_id = null
            where x.document_id = d.document_id;
        elsif d.user_id is distinct from person and d.state = 'reading' then
            delete from postrider.document_part p where p.document_id = d.document_id and p.generation = d.generation;
            update postrider.document x set generation = 0, digest = '', title = '', answers_of = null where x.document_id = d.document_id;
        else
            delete from postrider.document x where x.document_id = d.document_id;
        end if;
    end loop;
    return jsonb_build_object('document', gone);
end $$;
comment on function postrider.erase_documents(bigint) is
    'for erase_rows: deletes the documents that a person sent, or of one that others sent too the person''s bytes; their jobs are cancelled by then';
