import { readTabItem, writeTabItem } from "@/components/ui/tab-storage";
import type { LastSignInMethod } from "@/server/domains/access/sign-in/policy";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";

const TYPED_EMAIL_KEY = "typed-email";
const PENDING_SIGN_IN_KEY = "second-step";

/** A sign-in pending its second factor. Its token exists in this tab only. */
export interface PendingSignIn {
  token: string;
  methods: readonly FactorKind[];
  /** Milliseconds since the epoch; undefined when another page started the sign-in. */
  expiresAt?: number;
  /** Method of the first step, stored as the last used one. */
  firstMethod?: LastSignInMethod;
}

/** Keeps the typed address until the sign-in, for the other pages of this tab. An empty one removes it. */
export function storeTypedEmail(email: string): void {
  writeTabItem(TYPED_EMAIL_KEY, email);
}

export function readTypedEmail(): string | undefined {
  return readTabItem(TYPED_EMAIL_KEY);
}

/** Survives reloads. The token gives no access without the second factor. */
export function storePendingSignIn(pendingSignIn: PendingSignIn | undefined): void {
  writeTabItem(PENDING_SIGN_IN_KEY, pendingSignIn ? JSON.stringify(pendingSignIn) : "");
}

export function loadPendingSignIn(): PendingSignIn | undefined {
  try {
    const pendingSignIn = JSON.parse(readTabItem(PENDING_SIGN_IN_KEY) ?? "null") as PendingSignIn | null;
    return pendingSignIn?.expiresAt && pendingSignIn.expiresAt > Date.now() ? pendingSignIn : undefined;
  } catch {
    return undefined;
  }
}
