import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";

import { stream } from "./api/events";
import { follow } from "./api/live";
import { queryClient } from "./api/query-client";
import { Pages, readAhead } from "./routes";
import { Guard } from "./shell/guard";
import { Layout } from "./shell/layout";
import { SessionGate } from "./shell/session-gate";
import { applyTheme } from "./shell/theme";
import { keepFocus } from "./ui/focus";
import { Toasts } from "./ui/toast";
import "./ui/tokens.css";
import "./ui/controls.css";
import "./ui/table.css";
import "./shell/shell.css";

applyTheme();
keepFocus();
follow(queryClient, stream);

const BASE = "/console";
readAhead(queryClient, location.pathname.slice(BASE.length));

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <Router base={BASE}>
        <SessionGate>
          <Layout>
            <Guard>
              <Pages />
            </Guard>
          </Layout>
        </SessionGate>
      </Router>
      <Toasts />
    </QueryClientProvider>,
  );
