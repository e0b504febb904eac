import { describe, expect, it } from "vitest";

import { FrameReader } from "../../src/api/frames";

describe("frames of an event stream", () => {
  it("come whole from pieces cut anywhere", () => {
    const text = 'id: 7\nevent: job\ndata: {"job_id":1}\n\ndata: a\ndata: b\n\n';
    for (let cut = 1; cut < text.length; cut += 1) {
      const reader = new FrameReader();
      const frames = [...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))];
      expect(frames).toEqual([
        { event: "job", data: '{"job_id":1}', id: "7" },
        { event: "message", data: "a\nb" },
      ]);
    }
  });

  it("leave out comments, which only keep the connection alive", () => {
    expect(new FrameReader().push(": heartbeat\n\n")).toEqual([]);
  });

  it("may have an id alone, which moves the place on", () => {
    expect(new FrameReader().push("id: 8\n\n")).toEqual([{ event: "message", data: "", id: "8" }]);
  });

  it("may end their lines as Windows does", () => {
    expect(new FrameReader().push("event: counts\r\ndata: {}\r\n\r\n")).toEqual([{ event: "counts", data: "{}" }]);
  });
});
