import { useHydrating } from "./use-hydrating";

/** Returns the time zone of this browser; empty when it does not tell. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

/** The same for rendering; null on the server and in the first render. */
export function useBrowserZone(): string | null {
  return useHydrating() ? null : browserZone();
}

/** Zones for browsers that cannot list theirs. */
const FEW = ["Europe/Istanbul", "Europe/Berlin", "Europe/London", "America/New_York", "Asia/Dubai", "UTC"];

/** Every zone this browser knows, including the given one even if it has another name. */
export function zoneOptions(own: string | null) {
  const known = Intl.supportedValuesOf?.("timeZone") ?? FEW;
  const all = new Set([own, browserZone(), ...known].filter((zone) => zone !== null && zone !== ""));
  return [...all].sort().map((value) => ({ value: value!, label: value!.replaceAll("_", " ") }));
}
