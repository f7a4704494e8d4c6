import { Time } from "@/components/ui/time";

export function Day({ value }: { value: string }) {
  // Noon UTC is the same day in all relevant time zones.
  return <Time value={`${value}T12:00:00Z`} show="date" />;
}
