-- What code has to know of a failure beyond its class; its words are for people. New columns without a default: no row is written.
alter table postrider.step add column error_data jsonb;
comment on column postrider.step.error_data is
    'of a failed try: {"reason", "until"}: a word that tells the failure from others of its class, and until when it lasts (Unix seconds); null = its class says it all';
