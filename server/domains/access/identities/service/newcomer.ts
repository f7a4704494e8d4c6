import type { Consents } from "@/server/domains/accounts/consents/contract";
import type { Identity } from "./id-token";

/** Input of a sign-in that only a new account uses. */
export interface Newcomer {
  /** Apple sends the name to the app, not in the token. */
  name?: string | null;
  consents?: Consents | null;
}

export function getNewcomerName({ name, email }: Identity, newcomer: Newcomer): string {
  return newcomer.name ?? name ?? email.slice(0, email.lastIndexOf("@"));
}
