import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, createError, invalidField } from "@/server/core/errors";
import { canReceiveTexts, normalisePhone } from "@/server/core/phone";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { sendTestMessage } from "../contract";
import type { TestMessageRefusal } from "../errors";
import { requireManageableConnection } from "./health";
import type { CallOutcome } from "./provider";
import { getTestMessageSender, toProviderTarget } from "./provider-registry";
import { createUnloggedProviderCaller } from "./webhook";

const REFUSAL_BY_OUTCOME: Record<Exclude<CallOutcome, "ok">, TestMessageRefusal> = {
  dead: "token_refused",
  gone: "not_ready",
  not_ours: "forbidden",
  forbidden: "forbidden",
  retry: "unreachable",
};

/**
 * Sends one message from an own connection to a phone number. The attempt is audited first, without the
 * number: a message cannot be taken back if the token is revoked during the call.
 */
export async function sendConnectionTest(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof sendTestMessage>,
): Promise<Output<typeof sendTestMessage>> {
  const { channel, label, userId } = await requireManageableConnection(ctx, id);
  // Others could send at the owner's expense.
  if (userId !== ctx.actor.id) throw createError("forbidden");
  const sender = getTestMessageSender(channel);
  if (!sender) throw createRefusal("unsupported");
  const to = normalisePhone(body.to);
  if (!canReceiveTexts(to)) throw invalidField("to", "phone_number");
  const text = formatText(ctx.locale, "sms.test_message", { name: label });
  const connection = await withLockedOwnAccount(ctx, async (tx) => {
    const row = await requireManageableConnection(tx, id);
    if (row.cleanup === "running") throw createError("connection_in_cleanup");
    if (!row.isActive) throw createRefusal("deactivated");
    if (row.tokenDeadAt) throw createRefusal("token_dead");
    await audit(tx, {
      action: "connection.tested",
      object: { type: "Connection", id },
      details: { channel },
    });
    return row;
  });
  const { outcome, refusal } = await sender.sendTestMessage(
    toProviderTarget(connection),
    { to, text },
    createUnloggedProviderCaller(),
  );
  const reason = outcome === "ok" ? undefined : (refusal ?? REFUSAL_BY_OUTCOME[outcome]);
  if (reason) throw createRefusal(reason);
  return { success: true, message: formatText(ctx.locale, "responses.test_message_sent") };
}

const createRefusal = (reason: TestMessageRefusal) => new AppError("test_message_refused", { reason });
