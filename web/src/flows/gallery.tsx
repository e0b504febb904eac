// What a flow may begin with: an empty draft, or one of the server's templates. Arrow keys go from one to the next.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";

import { get } from "../api/client";
import { drawingOf } from "../canvas/drawing";
import { useNodeTypes } from "../canvas/flow-view";
import { Picture } from "../canvas/picture";
import { Loaded } from "../ui/feedback";
import "./gallery.css";

/** They change with the server's version alone. */
const useTemplates = () => useQuery({ queryKey: ["flow-templates"], queryFn: ({ signal }) => get("/api/v1/flow-templates", { signal }), staleTime: Infinity });

interface Choice {
  title: string;
  about: string;
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Beginning({ title, about, chosen, onChoose, children }: Choice) {
  return (
    <label className="beginning">
      <input type="radio" name="beginning" checked={chosen} onChange={onChoose} />
      {children}
      <strong>{title}</strong>
      <span className="soft">{about}</span>
    </label>
  );
}

function DrawnFlow({ document }: { document: object }) {
  const types = useNodeTypes();
  const drawing = useMemo(() => drawingOf(document), [document]);
  return <Picture drawing={drawing} types={types} />;
}

/** `chosen`: the name of a template, or nothing for an empty flow. */
export function Gallery({ chosen, onChoose }: { chosen: string | undefined; onChoose: (template: string | undefined) => void }) {
  const templates = useTemplates();
  return (
    <fieldset className="gallery-set">
      <legend className="label">Begin with</legend>
      <div className="gallery">
        <Beginning title="An empty flow" about="You add every node yourself." chosen={chosen === undefined} onChoose={() => onChoose(undefined)}><span className="picture" /></Beginning>
        <Loaded query={templates}>
          {({ flow_templates: all }) => all.map(({ name, title, description, document }) => <Beginning key={name} title={title} about={description} chosen={chosen === name} onChoose={() => onChoose(name)}><DrawnFlow document={document} /></Beginning>)}
        </Loaded>
      </div>
    </fieldset>
  );
}
