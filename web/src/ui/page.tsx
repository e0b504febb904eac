import { type ReactNode, useEffect } from "react";

import "./page.css";

interface Props {
  title: string;
  /** The browser tab's title, where it is another. */
  tab?: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, tab, about, actions, children }: Props) {
  useEffect(() => {
    document.title = `${tab ?? title} · postrider`;
  }, [tab, title]);
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {about && <p>{about}</p>}
        </div>
        {actions && <div className="row spread">{actions}</div>}
      </header>
      {children}
    </main>
  );
}

export function Panel({ title, aside, children, flush }: { title: string; aside?: ReactNode; children: ReactNode; flush?: boolean }) {
  return (
    <section className="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside && <div className="row spread">{aside}</div>}
      </header>
      {flush ? children : <div className="body">{children}</div>}
    </section>
  );
}

export function Facts({ all }: { all: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {all
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
