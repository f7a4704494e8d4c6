import type { Consents } from "@/server/domains/accounts/consents/contract";
import type { Identity } from "./verify";

/** Data for a new account, from the app. */
export interface Newcomer {
  /** Apple gives the name to the app and leaves it out of the token. */
  name?: string | null;
  consents?: Consents | null;
}

/** Name from the app or the token, else the local part of the address. */
export function nameOf({ name, email }: Identity, newcomer: Newcomer): string {
  return newcomer.name ?? name ?? email.slice(0, email.lastIndexOf("@"));
}
