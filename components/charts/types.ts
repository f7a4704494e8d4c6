import type { SeriesLine, SeriesRangeFields } from "@/server/core/series";

/** Body of any series operation. */
export interface Series extends SeriesRangeFields {
  lines: (SeriesLine & { key: string; currency?: string | null })[];
}

/** Colour by meaning; `one` to `six` are for lines without one, such as plans. */
export type Tone =
  | ("main" | "second" | "good" | "warn" | "bad" | "muted")
  | ("one" | "two" | "three" | "four" | "five" | "six");

export interface ChartLine {
  key: string;
  label: string;
  tone: Tone;
}

/** `bars` beside each other, `stack` on top of each other, `lines`. */
export type ChartKind = "bars" | "stack" | "lines";
