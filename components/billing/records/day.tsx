import { Time } from "@/components/ui/time";

export function Day({ value }: { value: string }) {
  // Noon UTC is the same day in all relevant time zones.
  return <Time value={`${value}T12:00:00Z`} show="date" />;
}

const TURKISH_OFFSET_MS = 3 * 60 * 60 * 1000;

/** Returns the day in Turkey at a moment, as its legal deadlines count it. */
export function toTurkishDay(moment: string): string {
  return new Date(Date.parse(moment) + TURKISH_OFFSET_MS).toISOString().slice(0, 10);
}
