import { useHydrating } from "./use-hydrating";

/** Returns the browser's time zone; empty if unknown. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

/** Returns the browser's time zone; null on the server and during hydration. */
export function useBrowserZone(): string | null {
  return useHydrating() ? null : browserZone();
}

const FALLBACK_ZONES = [
  "Europe/Istanbul",
  "Europe/Berlin",
  "Europe/London",
  "America/New_York",
  "Asia/Dubai",
  "UTC",
];

/** Returns all zones of this browser, plus the given one, which may have another name there. */
export function zoneOptions(own: string | null) {
  const supported = Intl.supportedValuesOf?.("timeZone") ?? FALLBACK_ZONES;
  const all = new Set([own, browserZone(), ...supported].filter((zone) => zone !== null && zone !== ""));
  return [...all].sort().map((value) => ({ value: value!, label: value!.replaceAll("_", " ") }));
}
