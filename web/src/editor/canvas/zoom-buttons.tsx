import { Panel, useReactFlow } from "@xyflow/react";

import { Button } from "../../ui/button";

const nearby = { padding: 0.12, maxZoom: 1 };

export function ZoomButtons() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel position="bottom-left" className="zoom">
      <Button title="Zoom in" aria-label="Zoom in" onClick={() => void zoomIn()}>+</Button>
      <Button title="Zoom out" aria-label="Zoom out" onClick={() => void zoomOut()}>−</Button>
      <Button onClick={() => void fitView(nearby)}>Fit</Button>
    </Panel>
  );
}
