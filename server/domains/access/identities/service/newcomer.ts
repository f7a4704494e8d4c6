import type { Consents } from "@/server/domains/accounts/consents/contract";
import type { Identity } from "./verify";

/** What a person brings to an account that does not exist yet. */
export interface Newcomer {
  /** As the app learned it; Apple leaves it out of the token. */
  name?: string | null;
  consents?: Consents | null;
}

/** The name that was told, else what stands before the @. */
export function nameOf({ name, email }: Identity, newcomer: Newcomer): string {
  return newcomer.name ?? name ?? email.slice(0, email.lastIndexOf("@"));
}
