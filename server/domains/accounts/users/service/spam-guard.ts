import { toAsciiHost } from "@/server/core/schema";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import { findMailDomainProblem, type MailDomainProblem } from "../spam-guard.provider";

/** Returns the domain in ASCII. */
export const getMailDomain = (email: string) => toAsciiHost(email.slice(email.lastIndexOf("@") + 1)) ?? "";

/** Undefined for an acceptable domain. Those of the setting `allowed_domains` always are. */
export async function findSpamProblem(
  access: Pick<DbAccess, "db">,
  domain: string,
): Promise<MailDomainProblem | undefined> {
  const allowedDomains = await getSetting(access, "allowed_domains");
  return allowedDomains.includes(domain) ? undefined : findMailDomainProblem(domain);
}
