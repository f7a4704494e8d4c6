import type { LastMethod } from "@/server/domains/access/sign-in/policy";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";

const TYPED = "typed-email";
const WAITING = "second-step";

/** A sign-in pending its second factor. Its token exists in this tab only. */
export interface PendingSignIn {
  token: string;
  methods: readonly FactorKind[];
  /** Expiry in milliseconds; unknown when another page started it. */
  until?: number;
  /** Method of the first step. */
  way?: LastMethod;
}

/** Passes the typed address to the next page, without the URL. */
export function passEmail(email: string): void {
  write(TYPED, email);
}

export function takePassedEmail(): string | undefined {
  const email = read(TYPED);
  write(TYPED, "");
  return email;
}

/** Stores a pending sign-in across reloads. Its token is useless without a second factor. */
export function storePendingSignIn(waiting: PendingSignIn | undefined): void {
  write(WAITING, waiting ? JSON.stringify(waiting) : "");
}

export function loadPendingSignIn(): PendingSignIn | undefined {
  try {
    const waiting = JSON.parse(read(WAITING) ?? "null") as PendingSignIn | null;
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

function write(key: string, value: string): void {
  try {
    if (value) window.sessionStorage.setItem(key, value);
    else window.sessionStorage.removeItem(key);
  } catch {
    // Without storage only this convenience is lost.
  }
}
