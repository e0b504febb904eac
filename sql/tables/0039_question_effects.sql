-- The message of a question is found by its effect's key, and not by its buttons.
alter table postrider.question add column effect text;
comment on column postrider.question.effect is
    'the key of the effect that sends it; null = a question of a version before this column';
