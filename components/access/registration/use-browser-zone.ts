import { useHydrating } from "@/components/ui/use-hydrating";

/** Returns the time zone of this browser. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The same for rendering; null on the server and in the first render. */
export function useBrowserZone(): string | null {
  return useHydrating() ? null : browserZone();
}

/** Every zone this browser knows, including the given one even if it has an older name. */
export function zoneOptions(own: string | null) {
  const known = Intl.supportedValuesOf("timeZone");
  const all = own && !known.includes(own) ? [own, ...known] : known;
  return all.map((value) => ({ value, label: value.replaceAll("_", " ") }));
}
