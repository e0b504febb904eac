-- People list their own conversations, newest first.
create index api_conversation_user on postrider.api_conversation (user_id, lane_id);
