// A defect of one page is shown in its place. The menu still works, and another page begins afresh.
import type { ReactNode } from "react";
import { useLocation } from "wouter";

import { Boundary } from "../ui/boundary";
import { Failure } from "../ui/feedback";

export function Guard({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  return (
    <Boundary
      key={location}
      instead={(error, again) => (
        <main className="page" id="main" tabIndex={-1}>
          <h1>This page failed</h1>
          <Failure error={error} again={again} />
        </main>
      )}
    >
      {children}
    </Boundary>
  );
}
