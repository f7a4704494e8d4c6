const KEY = "trusted-devices";

/** As many people as share one browser. */
const KEPT = 5;

type Kept = [email: string, token: string][];

/** What this browser shows so that an account's second factor is not asked; null when it is not trusted. */
export function deviceTokenOf(email: string): string | null {
  return read().find(([kept]) => kept === keyOf(email))?.[1] ?? null;
}

/** Keeps the trust of one account in this browser, beside those of a few others. */
export function keepDeviceToken(email: string, token: string): void {
  const others = read().filter(([kept]) => kept !== keyOf(email));
  try {
    window.localStorage.setItem(KEY, JSON.stringify([[keyOf(email), token], ...others].slice(0, KEPT)));
  } catch {
    // A closed storage only means that the second factor is asked again.
  }
}

function keyOf(email: string): string {
  return email.trim().toLowerCase();
}

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as Kept) : [];
  } catch {
    return [];
  }
}
