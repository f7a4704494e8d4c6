/* Time zones, for servers and browsers. A runtime may know a zone only by its older name. */

/** New names of zones that JavaScript engines still list under the old one (IANA's `backward` file). */
export const RENAMED_ZONES: Record<string, string> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** Returns the old or new name of a zone that this runtime's `Intl` supports; null for an unknown zone. */
export function findSupportedZone(name: string): string | null {
  const olderName = Object.keys(RENAMED_ZONES).find((oldName) => RENAMED_ZONES[oldName] === name);
  return [name, RENAMED_ZONES[name], olderName].find(isSupported) ?? null;
}

function isSupported(name: string | undefined): name is string {
  if (name === undefined) return false;
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

const DEFAULT_ZONE = "Europe/Istanbul";

export function zoneOrDefault(storedZone: string | null | undefined): string {
  return (storedZone && findSupportedZone(storedZone)) || DEFAULT_ZONE;
}
