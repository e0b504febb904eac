-- A turn's messages are numbered by the node of the flow that said them, which takes more than a few digits.
alter table postrider.message alter column position type bigint;
alter table postrider.session_message alter column position type bigint;
comment on column postrider.message.position is 'within the turn: 0 is the user''s message; then by node of the flow, and by what it said';
