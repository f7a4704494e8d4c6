import type { CSSProperties } from "react";
import type { Tone } from "./types";

/** Sets `--tone`, which the classes `fill-(--tone)`, `stroke-(--tone)` and `bg-(--tone)` read. */
export function toToneStyle(tone: Tone): CSSProperties {
  return { "--tone": `var(--chart-${tone})` } as CSSProperties;
}

/** Tones of lines that are found in the data, such as plans, in order. */
export const SERIAL_TONES: readonly Tone[] = ["one", "two", "three", "four", "five", "six"];
