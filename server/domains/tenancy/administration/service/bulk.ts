import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { errorText } from "@/server/core/error-text";
import { invalid, isAppError } from "@/server/core/errors";
import { text } from "@/server/core/texts";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import type { changeUsers } from "../contract";
import { endAllSignIns } from "./help";
import { setActive } from "./status";
import { asAdministrator } from "./target";

type Body = Input<typeof changeUsers>["body"];
type Result = Output<typeof changeUsers>["results"][number];

export async function changeMany(
  ctx: Context<UserActor>,
  { body }: Input<typeof changeUsers>,
): Promise<Output<typeof changeUsers>> {
  requireAdministrator(ctx.actor);
  if (!body.dry_run && !body.reason) throw invalid("reason", "required");
  if (!body.dry_run) await requireProof(ctx);
  const planned = await plan(ctx, body);
  const ids = planned.filter(({ changed }) => changed).map(({ id }) => id);
  const reach = await reachOf(ctx, ids, body.action);
  const results = body.dry_run ? planned : await run(ctx, body);
  return {
    success: true,
    dry_run: body.dry_run ?? false,
    results,
    changed_count: results.filter(({ changed }) => changed).length,
    reach,
  };
}

async function run(ctx: Context<UserActor>, { ids, action, ...body }: Body): Promise<Result[]> {
  const reason = body.reason ?? "";
  const changeOne = (id: number) =>
    asAdministrator(ctx, [id], async (tx) => {
      if (action === "sign_out") return (await endAllSignIns(tx, id, reason)) >= 0;
      return setActive(tx, id, { isActive: action === "activate", reason });
    });
  const results: Result[] = [];
  for (const id of ids) {
    const result = await changeOne(id).then(
      (changed) => ({ id, ok: true, changed, error: null }),
      (error: unknown) => {
        if (!isAppError(error)) throw error;
        return refused(id, errorText(error, ctx.locale));
      },
    );
    results.push(result);
  }
  return results;
}

const refused = (id: number, error: string): Result => ({ id, ok: false, changed: false, error });

/** Predicts the result of `run` without locks. */
async function plan({ db, actor, locale }: Context<UserActor>, { ids, action }: Body): Promise<Result[]> {
  const rows = await db.user.findMany({
    where: { id: { in: ids }, anonymisedAt: null },
    select: { id: true, isActive: true, deactivatedBy: true },
  });
  const users = new Map(rows.map((user) => [user.id, user]));
  const changes = {
    activate: ({ isActive, deactivatedBy }: (typeof rows)[number]) => !isActive || deactivatedBy !== null,
    deactivate: ({ isActive, deactivatedBy }: (typeof rows)[number]) => isActive || deactivatedBy !== "admin",
    sign_out: () => true,
  };
  return ids.map((id) => {
    const user = users.get(id);
    if (!user) return refused(id, text(locale, "errors.record_not_found", { model: "User", id }));
    if (id === actor.id) return refused(id, text(locale, "errors.own_account"));
    return { id, ok: true, changed: changes[action](user), error: null };
  });
}

async function reachOf({ db }: Context<UserActor>, ids: number[], action: Body["action"]) {
  const live = { userId: { in: ids }, expiresAt: { gt: new Date() } };
  const key = { kind: "api_key" as const };
  const [sign_ins, api_keys, sites, administrators] = await Promise.all([
    action === "activate" ? 0 : db.accessToken.count({ where: { ...live, NOT: key } }),
    action === "deactivate" ? db.accessToken.count({ where: { ...live, ...key } }) : 0,
    db.site.count({ where: { userId: { in: ids }, deletedAt: null } }),
    db.user.count({ where: { id: { in: ids }, role: "admin" } }),
  ]);
  return { sign_ins, api_keys, sites, administrators };
}
