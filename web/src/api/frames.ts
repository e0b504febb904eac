// Server-sent events from a text that arrives in pieces. Pure.

export interface Frame {
  event: string;
  data: string;
  id?: string;
}

export class FrameReader {
  private rest = "";

  /** The frames that this piece completes. Comments are left out; one with an id alone moves the place on. */
  push(piece: string): Frame[] {
    this.rest += piece.replace(/\r\n?/g, "\n");
    const parts = this.rest.split("\n\n");
    this.rest = parts.pop() ?? "";
    return parts.map(frameOf).filter((frame) => frame !== null);
  }
}

function frameOf(text: string): Frame | null {
  const frame: Frame = { event: "message", data: "" };
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith(":")) continue;
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") lines.push(value);
    else if (name === "event") frame.event = value;
    else if (name === "id") frame.id = value;
  }
  if (lines.length === 0 && frame.id === undefined) return null;
  frame.data = lines.join("\n");
  return frame;
}
