-- What a job's model calls cost stands with the steps that paid it.

alter table postrider.step add column usage jsonb;
comment on column postrider.step.usage is
    'what this try paid: {tokens_in, tokens_out, tokens_cached, cost_micro}; null = nothing. A fork''s copies of steps paid nothing';
