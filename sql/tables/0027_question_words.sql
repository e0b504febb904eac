alter table postrider.question add column words text[];
comment on column postrider.question.words is
    'messages that answer it as a press of a button does: the words of the buttons, folded by the server; null or empty = presses alone';
