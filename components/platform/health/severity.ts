import type { Tone } from "@/components/ui/tone";
import type { HealthRow } from "./types";

export const HEALTH_TONES = {
  green: "success",
  yellow: "warning",
  red: "danger",
  grey: "neutral",
} as const satisfies Record<HealthRow["light"], Tone>;

const SEVERITY: readonly HealthRow["light"][] = ["red", "yellow"];

/** Problems first; the other parts keep their order. */
export function sortBySeverity(rows: readonly HealthRow[]): HealthRow[] {
  const rank = ({ light }: HealthRow) =>
    SEVERITY.includes(light) ? SEVERITY.indexOf(light) : SEVERITY.length;
  return rows.toSorted((a, b) => rank(a) - rank(b));
}
