const KEY = "trusted-devices";

/** Accounts remembered per browser. */
const KEPT = 5;

type Kept = [email: string, token: string][];

/** The secret with which this browser skips an account's second factor; null when it is not trusted. */
export function deviceTokenOf(email: string): string | null {
  return read().find(([kept]) => kept === keyOf(email))?.[1] ?? null;
}

/** Stores the trust of one account in this browser, next to those of a few others. */
export function keepDeviceToken(email: string, token: string): void {
  const others = read().filter(([kept]) => kept !== keyOf(email));
  try {
    window.localStorage.setItem(KEY, JSON.stringify([[keyOf(email), token], ...others].slice(0, KEPT)));
  } catch {
    // Without storage the second factor is simply asked for again.
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
