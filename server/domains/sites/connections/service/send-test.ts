import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, invalidField } from "@/server/core/errors";
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

/** Sends one message from the connection to a phone number, and audits the attempt without the number. */
export async function sendConnectionTest(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof sendTestMessage>,
): Promise<Output<typeof sendTestMessage>> {
  const connection = await requireManageableConnection(ctx, id);
  const { channel, label } = connection;
  const sender = getTestMessageSender(channel);
  if (!sender) throw createRefusal("unsupported");
  if (!connection.isActive) throw createRefusal("deactivated");
  if (connection.tokenDeadAt) throw createRefusal("token_dead");
  const to = normalisePhone(body.to);
  if (!canReceiveTexts(to)) throw invalidField("to", "phone_number");
  const text = formatText(ctx.locale, "sms.test_message", { name: label });
  const { outcome, refusal } = await sender.sendTestMessage(
    toProviderTarget(connection),
    { to, text },
    createUnloggedProviderCaller(),
  );
  const reason = outcome === "ok" ? undefined : (refusal ?? REFUSAL_BY_OUTCOME[outcome]);
  await withLockedOwnAccount(ctx, (tx) =>
    audit(tx, {
      action: "connection.tested",
      object: { type: "Connection", id },
      details: { channel, outcome: reason ?? "ok" },
    }),
  );
  if (reason) throw createRefusal(reason, { countsAgainstLimit: true });
  return { success: true, message: formatText(ctx.locale, "responses.test_message_sent") };
}

const createRefusal = (reason: TestMessageRefusal, options = { countsAgainstLimit: false }) =>
  new AppError("test_message_refused", { reason }, options);
