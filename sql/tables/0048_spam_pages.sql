-- Pages of members and of what was found to be spam, among many others.
create index spam_member_page on postrider.spam_member (chat_id, messages, user_id);
create index spam_verdict_caught on postrider.spam_verdict (judged_at) where is_spam;
