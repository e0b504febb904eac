// Drawn on a grid of 16 with one stroke.
const paths = {
  attention: "M3 9.5h3l1 2h2l1-2h3M4.2 3h7.6L13.5 9.5V13h-11V9.5z",
  jobs: "M2.5 4h11M2.5 8h11M2.5 12h7",
  approvals: "M8 1.8 13 4v4c0 3-2 5-5 6.2C5 13 3 11 3 8V4zM5.8 8l1.6 1.6 3-3.2",
  chat: "M2.5 3.5h11v7.5H8l-3 2.5V11H2.5z",
  demo: "M14 2.5 2 7.2l4 1.6 1.4 4.2 2-2.6 3 2.2zM6 8.8 14 2.5",
  lanes: "M2 5h8.5M8.5 3l2 2-2 2M14 11H5.5M7.5 9l-2 2 2 2",
  executions: "M3 3h4v4H3zM9 9h4v4H9zM5 7v4h4",
  flows: "M4 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM12 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4 5.5v5M10.5 8C7 8 4 8 4 5.5",
  effects: "M9 1.8 3.5 9H7l-.5 5.2L12.5 7H9z",
  nodes: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01",
  usage: "M3 13V8M6.5 13V4M10 13V6.5M13.5 13V2.5",
  audit: "M4 2h6l2.5 2.5V14H4zM6 7h4.5M6 9.5h4.5M6 12h2.5",
  tokens: "M9.5 9a3.5 3.5 0 1 0-3-3L2 10.5V14h3v-2h2v-2l1-1zM11 5h.01",
  strangers: "M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zM3 13.5c.5-2.5 2.5-3.7 5-3.7s4.5 1.2 5 3.7",
  groups: "M6 8a2.3 2.3 0 1 0 0-4.6A2.3 2.3 0 0 0 6 8zM1.8 13c.4-2.2 2-3.2 4.2-3.2s3.8 1 4.2 3.2M10.6 3.6a2.2 2.2 0 0 1 0 4.2M12 9.9c1.3.4 2.1 1.4 2.4 3.1",
  spam: "M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5zM8 5v4M8 11.2h.01",
  updates: "M2.5 4h11v8.5h-11zM5.5 6.2l5 4.2M10.5 6.2l-5 4.2",
  memory: "M3.5 2.5h9v11L8 10.5l-4.5 3z",
  knowledge: "M8 4.5C6.5 3 4.5 2.8 2.5 3v9.5c2-.2 4 0 5.5 1.5 1.5-1.5 3.5-1.7 5.5-1.5V3c-2-.2-4 0-5.5 1.5zM8 4.5V14",
  settings: "M2.5 5h6M12 5h1.5M10 3.3v3.4M2.5 11H4M7.5 11h6M5.7 9.3v3.4",
  schedules: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.5",
  bots: "M3 6h10v7H3zM8 6V3M6 9h.01M10 9h.01M6.5 11.2h3",
  models: "M8 2.2 13.2 5v6L8 13.8 2.8 11V5zM8 8v5.8M8 8l5.2-3M8 8 2.8 5",
  tools: "M10.5 2.5a3.5 3.5 0 0 0-3.3 4.6L2.5 11.8l1.7 1.7 4.7-4.7a3.5 3.5 0 0 0 4.5-4.4L11.3 6.5 9.5 4.7z",
  doctor: "M2 8.5h3l1.5-4 3 7.5 1.5-3.5h3",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
