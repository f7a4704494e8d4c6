import { useHydrating } from "./use-hydrating";

export function getBrowserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

/** Returns the browser's time zone; null on the server and during hydration. */
export function useBrowserZone(): string | null {
  return useHydrating() ? null : getBrowserZone();
}

const FALLBACK_ZONES = [
  "Europe/Istanbul",
  "Europe/Berlin",
  "Europe/London",
  "America/New_York",
  "Asia/Dubai",
  "UTC",
];

/** Returns this browser's zones and the account's, which the browser may know by another name. */
export function getZoneOptions(accountZone: string | null) {
  const supportedZones = Intl.supportedValuesOf?.("timeZone") ?? FALLBACK_ZONES;
  const zones = new Set(
    [accountZone, getBrowserZone(), ...supportedZones].filter((zone) => zone !== null && zone !== ""),
  );
  return [...zones].sort().map((value) => ({ value: value!, label: value!.replaceAll("_", " ") }));
}
