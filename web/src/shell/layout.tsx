import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";

import { useAttentionTotal } from "../attention/queries";
import { useMe } from "../api/me";
import { Button } from "../ui/button";
import { KeptDialogs } from "../ui/kept-dialog";
import { setZone, useZone, zoneName } from "../ui/zone";
import { type Place, placesOf } from "../routes";
import { ConnectionBadge } from "./connection-badge";
import { Icon } from "./icons";
import { leave } from "./leave";
import { Mark } from "./mark";
import { Shortcuts } from "./shortcuts";
import { switchTheme } from "./theme";

const groups = ["", "Work", "Talk", "Build", "Watch over"] as const;
const onPhone = ["/", "/jobs", "/approvals", "/chat"];

const isHere = (path: string, location: string) => (path === "/" ? location === "/" : location === path || location.startsWith(`${path}/`));

function PlaceLink({ place, location, total }: { place: Place; location: string; total: number | undefined }) {
  return (
    <Link href={place.path} className="place" aria-current={isHere(place.path, location) ? "page" : undefined}>
      <Icon name={place.icon} />
      {place.title}
      {place.path === "/" && total ? <span className="total">{total > 99 ? "99+" : total}</span> : null}
    </Link>
  );
}

function Foot({ onKeys }: { onKeys: () => void }) {
  const zone = useZone();
  const { data: me } = useMe();
  const cache = useQueryClient();
  const forget = () => {
    cache.clear();
    location.reload();
  };
  return (
    <div className="side-foot">
      <div className="foot-line">
        <ConnectionBadge />
        <span className="clip faint spread" title={`Times are shown in ${zoneName(zone)}.`}>{zoneName(zone)}</span>
      </div>
      <div className="row">
        <Button kind="plain" aria-pressed={zone === "UTC"} onClick={() => setZone(zone === "UTC" ? "local" : "UTC")}>
          {zone === "UTC" ? "Local time" : "UTC"}
        </Button>
        <Button kind="plain" onClick={switchTheme}>Theme</Button>
        <Button kind="plain" onClick={onKeys} title="Keys">?</Button>
      </div>
      <div className="foot-line">
        <span className="clip faint">{me?.actor ?? me?.role}{me?.version ? ` · ${me.version}` : ""}</span>
        <Button kind="plain" className="spread" onClick={() => void leave(forget)}>Sign out</Button>
      </div>
    </div>
  );
}

export function Layout({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const [menu, setMenu] = useState(false);
  const [keys, setKeys] = useState(false);
  const total = useAttentionTotal();
  const { data: me } = useMe();
  useEffect(() => setMenu(false), [location]);
  const visible = placesOf(me);
  return (
    <div className="shell">
      <a className="skip" href="#main">Skip to the content</a>
      <nav className={`side ${menu ? "open" : ""}`} aria-label="Places">
        <Link href="/" className="brand"><Mark />postrider</Link>
        <div className="places">
          {groups.map((group) => {
            const own = visible.filter((place) => place.group === group);
            if (own.length === 0) return null;
            return (
              <div key={group || "first"}>
                {group && <h2>{group}</h2>}
                {own.map((place) => <PlaceLink key={place.path} place={place} location={location} total={total} />)}
              </div>
            );
          })}
        </div>
        <Foot onKeys={() => setKeys(true)} />
      </nav>
      <div>
        {me?.demo && <aside className="demo" aria-label="Demo mode">Demo mode: the Telegram here is simulated, and a built-in model answers by rules. <Link href="/demo">Talk to the bot</Link></aside>}
        {children}
      </div>
      <nav className="bar" aria-label="Main places">
        {visible.filter(({ path }) => onPhone.includes(path)).map((place) => (
          <Link key={place.path} href={place.path} aria-current={isHere(place.path, location) ? "page" : undefined}>
            <Icon name={place.icon} />
            {place.title}
            {place.path === "/" && total ? <span className="total">{total > 99 ? "99+" : total}</span> : null}
          </Link>
        ))}
        <button type="button" aria-expanded={menu} onClick={() => setMenu(!menu)}><Icon name="menu" />Menu</button>
      </nav>
      <Shortcuts open={keys} onChange={setKeys} />
      <KeptDialogs />
    </div>
  );
}
