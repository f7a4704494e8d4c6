import type { Consents } from "@/server/domains/accounts/consents/contract";
import type { Identity } from "./verify";

export interface Newcomer {
  /** Apple gives the name to the app and leaves it out of the token. */
  name?: string | null;
  consents?: Consents | null;
}

/** Falls back to the local part of the address. */
export function nameOf({ name, email }: Identity, newcomer: Newcomer): string {
  return newcomer.name ?? name ?? email.slice(0, email.lastIndexOf("@"));
}
