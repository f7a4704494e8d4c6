import type { Sql } from "@/server/infrastructure/database/sql";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import { type MailContent, type RenderedMail, renderMail } from "./template";

const PURPOSE = "mail";

/**
 * Puts a mail into the outbox within the caller's transaction. It is rendered now, in the language and
 * with the link of now; a worker delivers it. Stored encrypted, because its link opens an account.
 * A mail of no account (`userId` null) is forgotten once it is sent.
 */
export async function queueMail(
  sql: Sql,
  to: { userId: number | null; address: string },
  content: MailContent,
): Promise<void> {
  const sealed = seal(JSON.stringify(renderMail(content)), PURPOSE);
  const [row] = await sql<{ id: number }>`
    insert into mail_messages (user_id, to_address, template, locale, sealed)
    values (${to.userId}, ${to.address}, ${content.template}, ${content.locale}, ${Buffer.from(sealed)}) returning id`;
  await addJob(sql, "deliver_mail", { mailId: row!.id }, { key: `mail:${row!.id}` });
}

/** Opens a stored mail. */
export function openMail(sealed: Uint8Array): RenderedMail {
  return JSON.parse(unseal(sealed, PURPOSE)) as RenderedMail;
}
