// Bars on axes, drawn by uPlot, which is loaded when it is needed. A picture for eyes and pointers: a table beside it
// has the same numbers.
import { useEffect, useRef, useState } from "react";
import type UPlot from "uplot";

import "uplot/dist/uPlot.min.css";
import "./chart.css";
import { LazyPart } from "./lazy-part";

export interface Point {
  name: string;
  value: number;
}

interface Props {
  /** Of the whole: what the bars are. */
  title: string;
  points: readonly Point[];
  /** The names are days, "2026-11-29". */
  days: boolean;
  textOf: (value: number) => string;
}

const HEIGHT = 180;
const DAY = 86_400;
const ROOM_OF_NAME = 90;

/** Midnight of UTC stands for the day, whatever the zone that its midnight is of: no browser moves it to another one. */
export const secondsOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;
export const dayText = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const acrossOf = (points: readonly Point[], days: boolean): number[] => points.map(({ name }, index) => (days ? secondsOfDay(name) : index));

/** Of the bars at these places, as many names as a picture of that width has room for. */
export function namesIn(points: readonly Point[], splits: readonly number[], width: number): string[] {
  const every = Math.max(1, Math.ceil((points.length * ROOM_OF_NAME) / Math.max(1, width)));
  return splits.map((index) => (index % every === 0 ? (points[index]?.name ?? "").slice(0, 16) : ""));
}

function optionsOf(uplot: typeof UPlot, width: number, { points, days, textOf }: Props, hover: (index: number | null) => void): UPlot.Options {
  const axis = (): UPlot.Axis => ({ stroke: () => token("--faint"), grid: { stroke: () => token("--line"), width: 1 }, ticks: { show: false }, font: `11px ${token("--sans")}` });
  const names: UPlot.Axis = days
    ? { incrs: [1, 2, 7, 14, 28, 91, 182, 364].map((count) => count * DAY), space: 64, values: (_plot, splits) => splits.map(dayText) }
    : { splits: () => points.map((_point, index) => index), values: ({ width: now }, splits) => namesIn(points, splits, now) };
  const half = days ? DAY / 2 : 0.5;
  const across = acrossOf(points, days);
  const [least = 0, most = least] = [across[0], across.at(-1)];
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uplot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    scales: { x: { time: days, range: () => [least - half, most + half] }, y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] } },
    axes: [{ ...axis(), ...names, size: 26, grid: { show: false } }, { ...axis(), size: 64, values: (_plot, splits) => splits.map(textOf) }],
    series: [{}, { fill: () => token("--accent"), stroke: () => token("--accent"), width: 0, points: { show: false }, ...(uplot.paths.bars && { paths: uplot.paths.bars({ size: [0.7, 48] }) }) }],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => hover(cursor.idx ?? null)] },
  };
}

export const Chart = (props: Props) => <LazyPart><Drawn {...props} /></LazyPart>;

function Drawn(props: Props) {
  const { title, points, days, textOf } = props;
  const place = useRef<HTMLDivElement>(null);
  const [hovered, hover] = useState<number | null>(null);
  const [error, setError] = useState<unknown>();
  const words = JSON.stringify([title, points, days]); // no other picture while the same numbers are read again
  useEffect(() => {
    let plot: UPlot | undefined;
    let gone = false;
    const element = place.current;
    const sizes = new ResizeObserver(() => element && plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    const themes = new MutationObserver(() => plot?.redraw(false));
    const draw = async () => {
      const { default: uplot } = await import("uplot");
      if (gone || !element) return;
      plot = new uplot(optionsOf(uplot, element.clientWidth, props, hover), [acrossOf(points, days), points.map(({ value }) => value)], element);
      sizes.observe(element);
      themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    };
    draw().catch(setError);
    return () => {
      gone = true;
      sizes.disconnect();
      themes.disconnect();
      plot?.destroy();
    };
  }, [words]);
  const most = points.reduce((best, point) => (point.value > best.value ? point : best), { name: "", value: 0 });
  const shown = hovered === null ? undefined : points[hovered];
  const summary = `${title}; the highest is ${textOf(most.value)}`;
  if (error) throw error; // the script of the chart is gone
  return (
    <figure className="panel chart">
      <figcaption className="faint">{shown ? `${shown.name}: ${textOf(shown.value)}` : summary}</figcaption>
      <div ref={place} role="img" aria-label={`${summary}. The table has all numbers.`} />
    </figure>
  );
}
