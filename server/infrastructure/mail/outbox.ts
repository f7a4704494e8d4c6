import * as z from "zod";
import { type Brand, getPlatformBrand } from "@/server/infrastructure/brand/brand";
import { statement } from "@/server/infrastructure/database/statement";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { toPayloadJson } from "@/server/infrastructure/jobs/queue";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import { type MailContent, type RenderedMail, renderMail } from "./template";

export const MAIL_SEAL_PURPOSE = "mail";

export const ERASED_CONTENT = new Uint8Array(0);

export interface Recipient {
  /** Null if the address belongs to no account: the mail is deleted once it is sent. */
  userId: number | null;
  address: string;
  /** Visible copy: an address or an account id. */
  copyTo?: string | number;
  /** Drops the mail if the account's address is unverified. */
  onlyVerified?: boolean;
  /** Account whose brand a mail without an account carries, such as the inviting one. */
  brandOf?: number;
}

export interface StoredMail extends MailContent {
  brandOf?: number;
  brand?: Brand;
}

interface NewMail extends Pick<Recipient, "userId" | "address">, Pick<MailContent, "template" | "locale"> {
  copyAddress: string | null;
  copyUserId: number | null;
  onlyVerified: boolean;
  /** Job payload in addition to the mail's id. */
  jobPayload: string;
  sealed: Buffer;
  runAt: Date;
}

/** Inserts mail and job in one statement, because most mails are queued while a caller waits. */
const insertMail = statement(z.strictObject({ id: z.int() }))<NewMail>`
  with mail as (
    insert into mail_messages (user_id, to_address, cc_address, template, locale, sealed)
    select ${(mail) => mail.userId}::int, ${(mail) => mail.address},
            coalesce(${(mail) => mail.copyAddress}, (select email from users where id = ${(mail) => mail.copyUserId}::int)),
            ${(mail) => mail.template}, ${(mail) => mail.locale}, ${(mail) => mail.sealed}
     where not (${(mail) => mail.onlyVerified}::boolean and exists (
             select from users where id = ${(mail) => mail.userId}::int and email_verified_at is null))
    returning id)
  select mail.id from mail cross join lateral graphile_worker.add_job(
    'deliver_mail', (jsonb_build_object('mailId', mail.id) || ${(mail) => mail.jobPayload}::jsonb)::json,
    run_at => ${(mail) => mail.runAt}::timestamptz, job_key => 'mail:' || mail.id) as job`;

/** Queues a mail in the caller's transaction, encrypted because links may give access to an account. */
export async function queueMail(
  { sql }: Pick<DbAccess, "sql">,
  { userId, address, copyTo, brandOf, onlyVerified = false }: Recipient,
  content: MailContent,
): Promise<void> {
  await insertMail.sendWithoutWaiting(
    { sql },
    {
      userId,
      address,
      copyAddress: typeof copyTo === "string" ? copyTo : null,
      copyUserId: typeof copyTo === "number" ? copyTo : null,
      onlyVerified,
      jobPayload: toPayloadJson({}),
      template: content.template,
      locale: content.locale,
      sealed: Buffer.from(sealMail({ ...content, brandOf })),
      runAt: new Date(),
    },
  );
}

export function sealMail(mail: StoredMail): Uint8Array<ArrayBuffer> {
  return seal(JSON.stringify(mail), MAIL_SEAL_PURPOSE);
}

export function unsealMail(sealedContent: Uint8Array): StoredMail {
  return JSON.parse(unseal(sealedContent, MAIL_SEAL_PURPOSE)) as StoredMail;
}

export function renderStoredMail(sealed: Uint8Array): RenderedMail {
  const { brand = getPlatformBrand(), ...content } = unsealMail(sealed);
  return renderMail(content, brand);
}

export function mailGrantsAccess({ path, code, provesAddress }: StoredMail): boolean {
  return Boolean(code || provesAddress || path?.match(/[?&](token|code)=/));
}

/** Renders a stored mail for others than its recipient: without codes, and with masked links. */
export function renderMaskedMail({ brand = getPlatformBrand(), ...content }: StoredMail): RenderedMail {
  const { path, code } = content;
  return renderMail({ ...content, path: path && maskPath(path), code: code && "…" }, brand);
}

/** Masks the query and all segments but plain words and short numbers. */
function maskPath(path: string): string {
  const [pathname = "", query] = path.split(/[?#]/, 2);
  const segments = pathname
    .split("/")
    .map((segment) => (/^[a-z-]{0,30}$|^\d{1,10}$/.test(segment) ? segment : "…"));
  return segments.join("/") + (query === undefined ? "" : "?…");
}
