import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";

export const SMS_SEAL_PURPOSE = "sms";

/** Queues a text message in the caller's transaction; a worker delivers it. Stored encrypted. */
export async function queueSms(
  { sql }: Pick<DbAccess, "sql">,
  recipient: { userId: number; number: string; locale: string },
  text: string,
): Promise<void> {
  const [row] = await sql<{ id: number }>`
    insert into sms_messages (user_id, to_number, locale, sealed)
    values (${recipient.userId}, ${recipient.number}, ${recipient.locale}, ${Buffer.from(seal(text, SMS_SEAL_PURPOSE))}) returning id`;
  await addJob({ sql }, "deliver_sms", { smsId: row!.id }, { key: `sms:${row!.id}` });
}

export function unsealSms(sealed: Uint8Array): string {
  return unseal(sealed, SMS_SEAL_PURPOSE);
}
