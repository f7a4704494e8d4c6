import { createError } from "@/server/core/errors";
import type { SettingValue } from "@/server/core/settings";
import { findPortalResellerId } from "@/server/domains/accounts/portals/service/access";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { getSetting, readLockedSetting } from "@/server/infrastructure/settings";

type SignUpMode = SettingValue<"sign_up">;

/** A reseller's portal counts as an invitation. The mode is cached for ten seconds. */
export async function readSignUpMode(host: string | null): Promise<{ mode: SignUpMode; isInvited: boolean }> {
  const mode = await getSetting(withoutTransaction(), "sign_up");
  const isInvited =
    mode === "invitation" && (await findPortalResellerId({ ...withoutTransaction(), host })) !== null;
  return { mode, isInvited };
}

export async function precheckSignUpAllowed(resellerId: number | null): Promise<void> {
  requireAllowedMode(await getSetting(withoutTransaction(), "sign_up"), resellerId);
}

/** Like {@link precheckSignUpAllowed}, with the setting locked until the transaction ends. */
export async function requireSignUpAllowed(tx: DbAccess, resellerId: number | null): Promise<void> {
  requireAllowedMode(await readLockedSetting(tx, "sign_up"), resellerId);
}

function requireAllowedMode(mode: SignUpMode, resellerId: number | null): void {
  if (mode === "closed") throw createError("sign_up_closed");
  if (mode === "invitation" && resellerId === null) throw createError("sign_up_by_invitation");
}
