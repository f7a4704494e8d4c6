import { env } from "@/server/core/env";
import { SETTINGS, type SettingValue } from "@/server/core/settings";
import type { Work } from "@/server/infrastructure/database/transaction";
import type { Brand } from "./brand";
import { findSupport } from "./statements";

/** Whom administrators have named for help where no reseller's brand names somebody; null: nobody. */
export async function namedSupport(work: Pick<Work, "sql">): Promise<SettingValue<"support_contact">> {
  const [row] = await findSupport(work);
  return SETTINGS.support_contact.schema.safeParse(row?.value).data ?? null;
}

/** Returns the support contact under a brand: the reseller's, else the administrators', else the environment's. */
export async function supportUnder(
  work: Pick<Work, "sql">,
  { supportEmail, supportPhone }: Brand,
): Promise<{ email: string; phone: string | null }> {
  const phone = supportPhone ?? null;
  if (supportEmail) return { email: supportEmail, phone };
  return { email: (await namedSupport(work))?.email ?? env().SUPPORT_EMAIL, phone };
}
