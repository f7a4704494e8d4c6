import { Time } from "@/components/ui/time";

/** A day without a time, such as that of a payment. */
export function Day({ value }: { value: string }) {
  // At noon it is the same day in every zone that matters here.
  return <Time value={`${value}T12:00:00Z`} show="date" />;
}
