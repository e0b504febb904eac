alter table postrider.question add column words text[];
comment on column postrider.question.words is
    'messages that answer it as a press of a button does: the words of the buttons, folded by the server; empty = presses alone; null = a question of a version before this column';
