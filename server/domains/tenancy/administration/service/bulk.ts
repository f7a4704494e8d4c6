import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { formatErrorText } from "@/server/core/error-text";
import { invalidField, isAppError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { changeUsers } from "../contract";
import { signOutTarget } from "./sign-in-help";
import { setAccountActive } from "./status";
import { inAdministratorTransaction } from "./target-account";

type BulkBody = Input<typeof changeUsers>["body"];
type AccountResult = Output<typeof changeUsers>["results"][number];

export async function changeAccounts(
  ctx: Context<UserActor>,
  { body }: Input<typeof changeUsers>,
): Promise<Output<typeof changeUsers>> {
  requireAdministrator(ctx.actor);
  if (!body.dry_run && !body.reason) throw invalidField("reason", "required");
  if (!body.dry_run) await requireProof(ctx);
  const preview = await previewChanges(ctx, body);
  const changedIds = preview.filter(({ changed }) => changed).map(({ id }) => id);
  const reach = await countReach(ctx, changedIds, body.action);
  const results = body.dry_run ? preview : await applyChanges(ctx, body);
  return {
    success: true,
    dry_run: body.dry_run ?? false,
    results,
    changed_count: results.filter(({ changed }) => changed).length,
    reach,
  };
}

async function applyChanges(
  ctx: Context<UserActor>,
  { ids, action, ...body }: BulkBody,
): Promise<AccountResult[]> {
  const reason = body.reason ?? "";
  const changeAccount = (id: number) =>
    inAdministratorTransaction(ctx, [id], async (tx) => {
      if (action !== "sign_out") return setAccountActive(tx, id, { isActive: action === "activate", reason });
      await signOutTarget(tx, id, reason);
      // A sign-out counts as a change, even if no session was open.
      return true;
    });
  const results: AccountResult[] = [];
  for (const id of ids) {
    const result = await changeAccount(id).then(
      (changed) => ({ id, ok: true, changed, error: null }),
      (error: unknown) => {
        if (!isAppError(error)) throw error;
        return toRefusedResult(id, formatErrorText(error, ctx.locale));
      },
    );
    results.push(result);
  }
  return results;
}

const toRefusedResult = (id: number, error: string): AccountResult => ({
  id,
  ok: false,
  changed: false,
  error,
});

/** Predicts the result of `applyChanges`. Takes no locks, so the result can differ. */
async function previewChanges(
  { db, actor, locale }: Context<UserActor>,
  { ids, action }: BulkBody,
): Promise<AccountResult[]> {
  const userRows = await db.user.findMany({
    where: { id: { in: ids }, anonymisedAt: null },
    select: { id: true, isActive: true, deactivatedBy: true },
  });
  const usersById = new Map(userRows.map((user) => [user.id, user]));
  const wouldChange = {
    activate: ({ isActive, deactivatedBy }: (typeof userRows)[number]) => !isActive || deactivatedBy !== null,
    deactivate: ({ isActive, deactivatedBy }: (typeof userRows)[number]) =>
      isActive || deactivatedBy !== "admin",
    sign_out: () => true,
  };
  return ids.map((id) => {
    const user = usersById.get(id);
    if (!user)
      return toRefusedResult(id, formatText(locale, "errors.record_not_found", { model: "User", id }));
    if (id === actor.id) return toRefusedResult(id, formatText(locale, "errors.own_account"));
    return { id, ok: true, changed: wouldChange[action](user), error: null };
  });
}

async function countReach({ db }: Context<UserActor>, ids: number[], action: BulkBody["action"]) {
  const liveTokenFilter = { userId: { in: ids }, expiresAt: { gt: new Date() } };
  const apiKeyFilter = { kind: "api_key" as const };
  const [sign_ins, api_keys, sites, administrators] = await Promise.all([
    action === "activate" ? 0 : db.accessToken.count({ where: { ...liveTokenFilter, NOT: apiKeyFilter } }),
    action === "deactivate" ? db.accessToken.count({ where: { ...liveTokenFilter, ...apiKeyFilter } }) : 0,
    db.site.count({ where: { userId: { in: ids }, deletedAt: null } }),
    db.user.count({ where: { id: { in: ids }, role: "admin" } }),
  ]);
  return { sign_ins, api_keys, sites, administrators };
}
