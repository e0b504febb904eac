import { type ReactNode, Suspense } from "react";

import { Boundary } from "./boundary";
import { Button } from "./button";
import { Waiting } from "./feedback";

/** A new version of the server does not have the scripts of the old one. */
export function MissingScript() {
  return (
    <div className="failure" role="alert">
      This part could not be loaded. The server may be away, or a new version.
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </div>
  );
}

/** A part of a page whose script is loaded with it. */
export function LazyPart({ children }: { children: ReactNode }) {
  return (
    <Boundary instead={() => <MissingScript />}>
      <Suspense fallback={<Waiting />}>{children}</Suspense>
    </Boundary>
  );
}
