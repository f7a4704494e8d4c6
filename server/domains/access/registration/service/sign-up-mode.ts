import { refuse } from "@/server/core/errors";
import type { SettingValue } from "@/server/core/settings";
import { findPortalReseller } from "@/server/domains/accounts/portals/service/access";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { lockedSetting, setting } from "@/server/infrastructure/settings";

type SignUps = SettingValue<"sign_up">;

/** `invited` is true at a reseller's portal, which counts as an invitation. Cached for ten seconds. */
export async function signUpsAt(host: string | null): Promise<{ mode: SignUps; invited: boolean }> {
  const mode = await setting(withoutTransaction(), "sign_up");
  const invited =
    mode === "invitation" && (await findPortalReseller({ ...withoutTransaction(), host })) !== null;
  return { mode, invited };
}

/** Checks before expensive work. Throws `sign_up_closed`, `sign_up_by_invitation`. */
export async function precheckSignUp(resellerId: number | null): Promise<void> {
  requireMode(await setting(withoutTransaction(), "sign_up"), resellerId);
}

/** Like {@link precheckSignUp}, with the setting locked until the transaction ends. */
export async function requireSignUp(tx: DbAccess, resellerId: number | null): Promise<void> {
  requireMode(await lockedSetting(tx, "sign_up"), resellerId);
}

function requireMode(mode: SignUps, resellerId: number | null): void {
  if (mode === "closed") throw refuse("sign_up_closed");
  if (mode === "invitation" && resellerId === null) throw refuse("sign_up_by_invitation");
}
