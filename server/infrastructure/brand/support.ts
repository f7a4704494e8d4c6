import { SETTINGS, type SettingValue } from "@/server/core/settings";
import type { Work } from "@/server/infrastructure/database/transaction";
import { findSupport } from "./statements";

/** Whom administrators have named for help where no reseller's brand names somebody; null: nobody. */
export async function namedSupport(work: Pick<Work, "sql">): Promise<SettingValue<"support_contact">> {
  const [row] = await findSupport(work);
  return SETTINGS.support_contact.schema.safeParse(row?.value).data ?? null;
}
