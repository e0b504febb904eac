import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";

import { remove } from "../api/client";
import { useRefusal } from "../api/me";
import { wordsOf } from "../api/problem";
import { ActButton } from "../ui/act-button";
import { Button } from "../ui/button";
import { Empty, Loaded } from "../ui/feedback";
import { More } from "../ui/keyset-list";
import { Page } from "../ui/page";
import { Time } from "../ui/time";
import { toast } from "../ui/toast";
import "./chat.css";
import { Compose } from "./compose";
import { Earlier } from "./earlier";
import { begin, press, say, useAgents, useConversations } from "./queries";
import { Talk } from "./talk";
import { useChat } from "./use-chat";

function NewChat() {
  const agents = useAgents();
  const refusal = useRefusal("POST /api/v1/conversations");
  const [, navigate] = useLocation();
  const [agent, setAgent] = useState("");
  const start = useMutation({
    mutationFn: () => begin(agent || agents[0] || "assistant"),
    onSuccess: (id) => navigate(`/chat/${id}`),
    onError: (error) => toast(wordsOf(error), true),
  });
  return (
    <>
      <select className="pick" aria-label="Agent" value={agent || agents[0]} onChange={(event) => setAgent(event.target.value)}>
        {agents.map((name) => <option key={name}>{name}</option>)}
      </select>
      <Button kind="main" refusal={refusal} disabled={start.isPending} onClick={() => start.mutate()}>New chat</Button>
    </>
  );
}

export function ChatsPage() {
  const list = useConversations();
  return (
    <Page title="Chat" about="Talk to an agent. These are your own conversations." actions={<NewChat />}>
      <Loaded query={{ ...list, data: list.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No conversation yet.">Choose an agent and begin one.</Empty>
          ) : (
            <>
              <ul className="panel chats">
                {rows.map((row) => (
                  <li key={row.conversation_id}>
                    <Link href={`/chat/${row.conversation_id}`}>
                      <span className="clip">{row.title ?? "Nothing was said"}</span>
                      <span className="faint">{row.agent ?? "assistant"}</span>
                      <span className="faint number"><Time at={row.last_message_at ?? row.created_at} age /></span>
                    </Link>
                  </li>
                ))}
              </ul>
              <More list={list} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

export function ChatPage({ params }: { params: Record<string, string> }) {
  const id = params.id ?? "";
  const chat = useChat(id);
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  useEffect(() => () => void cache.invalidateQueries({ queryKey: ["conversations"] }), [cache]);
  const answer = (message: string, data: string) => void press(id, message, data).catch((error: unknown) => toast(wordsOf(error), true));
  const erase = () => remove("/api/v1/conversations/{id}", { params: { id } }).then(() => navigate("/chat"));
  return (
    <Page
      title="Chat"
      actions={
        <>
          <Link href="/chat" className="button plain">All chats</Link>
          <ActButton change="DELETE /api/v1/conversations/{id}" danger act={erase} changes={["conversations"]} says="Delete this conversation?" done="The conversation is deleted." ask={<p className="soft">Its messages and open questions are deleted for good.</p>}>Delete</ActButton>
        </>
      }
    >
      <Talk chat={chat} messages={chat.messages} onPress={answer} earlier={<Earlier key={id} chat={chat} />}>
        <Compose say={(text, key) => say(id, text, key)} />
      </Talk>
    </Page>
  );
}
