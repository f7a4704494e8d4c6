import type { WayIn } from "@/server/domains/access/sign-in/policy";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";

const TYPED = "typed-email";
const WAITING = "second-step";

/** A sign-in that waits for its second factor. Its token exists in this tab only. */
export interface Waiting {
  token: string;
  methods: readonly FactorKind[];
  /** When it ends, in milliseconds; unknown where another page began it. */
  until?: number;
  /** Its first step. */
  way?: WayIn;
}

/** Hands the typed address on to the next page of this tab, never in an address. */
export function handOverEmail(email: string): void {
  write(TYPED, email);
}

/** Takes the address that the page before handed over, once. */
export function takeEmail(): string | undefined {
  const email = read(TYPED);
  write(TYPED, "");
  return email;
}

/** Keeps a waiting sign-in over a reload of this tab, until it ends. Its token opens nothing without a second factor. */
export function keepWaiting(waiting: Waiting | undefined): void {
  write(WAITING, waiting ? JSON.stringify(waiting) : "");
}

/** Returns the sign-in of this tab that still waits. */
export function keptWaiting(): Waiting | undefined {
  try {
    const waiting = JSON.parse(read(WAITING) ?? "null") as Waiting | null;
    return waiting?.until && waiting.until > Date.now() ? waiting : undefined;
  } catch {
    return undefined;
  }
}

function read(key: string): string | undefined {
  try {
    return window.sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** An empty value removes the key. */
function write(key: string, value: string): void {
  try {
    if (value) window.sessionStorage.setItem(key, value);
    else window.sessionStorage.removeItem(key);
  } catch {
    // Without storage only this convenience is lost.
  }
}
