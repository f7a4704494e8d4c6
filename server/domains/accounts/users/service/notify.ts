import type { Context } from "@/server/core/context";
import type { MailTemplate, Notice } from "@/server/core/domain";
import { getDateFormat } from "@/server/core/format";
import { type Locale, MAIL_LOCALE_SELECT, toMailLocale } from "@/server/core/locale";
import { zoneOrDefault } from "@/server/core/zones";
import { queueMail, type Recipient } from "@/server/infrastructure/mail/outbox";
import type { MailRecipient } from "./find";

export interface UserMail {
  template: MailTemplate;
  params?: Record<string, string | number>;
  path?: string;
  code?: string;
  provesAddress?: boolean;
  to?: string;
  copyTo?: Recipient["copyTo"];
}

/** Only these reach unverified addresses: others would let an account send mail to a stranger. */
const TEMPLATES_FOR_UNVERIFIED: readonly MailTemplate[] = [
  ...(["verify_email", "reset_password", "deletion_code"] as const),
  ...(["account_activated", "account_deactivated", "customer_activated", "customer_deactivated"] as const),
  ...([
    "account_signed_out",
    "account_released",
    "reseller_changed",
    "credits_adjusted",
    "viewed_as",
  ] as const),
  ...(["site_activated", "site_suspended", "site_deleted", "site_unpaid"] as const),
  ...(["subscription_ends", "subscription_past_due", "subscription_expired"] as const),
  ...(["trial_ends", "trial_past_due", "trial_expired"] as const),
  ...(["licence_due", "licence_ends", "licence_suspended"] as const),
  ...(["invoice_ready", "invoice_needs_data"] as const),
];

/** Mails the owner in their language. */
export async function mailUser(
  tx: Pick<Context, "sql" | "locale">,
  { id, name, email, ...recipient }: MailRecipient,
  { template, params, to = email, copyTo, ...content }: UserMail,
): Promise<void> {
  await queueMail(
    tx,
    {
      userId: id,
      address: to,
      copyTo,
      onlyVerified: !copyTo && !TEMPLATES_FOR_UNVERIFIED.includes(template),
    },
    { ...content, template, locale: toMailLocale(recipient, tx.locale), params: { name, ...params } },
  );
}

type MailParams = Record<string, string | number | Date>;

export interface RecipientLocale {
  locale: Locale;
  formatMoment(at: Date): string;
  formatDay(at: Date): string;
}

/**
 * Mails the owner about an event, with a link to `path`. Dates in `params` are printed with their time, in the time
 * zone of the recipient.
 */
export async function notifyOwner(
  tx: Pick<Context, "db" | "sql" | "locale">,
  userId: number,
  template: Notice,
  {
    path = "/forgot-password",
    params = {},
  }: { path?: string; params?: MailParams | ((recipient: RecipientLocale) => MailParams) } = {},
): Promise<void> {
  const owner = await tx.db.user.findUnique({
    where: { id: userId },
    select: { id: true, name: true, email: true, ...MAIL_LOCALE_SELECT, timezone: true },
  });
  if (!owner) return;
  const locale = toMailLocale(owner, tx.locale);
  const timeZone = zoneOrDefault(owner.timezone);
  const dayFormat = getDateFormat(locale, { dateStyle: "long", timeZone });
  const momentFormat = getDateFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone });
  const paramValues =
    typeof params === "function"
      ? params({
          locale,
          formatDay: (at) => dayFormat.format(at),
          formatMoment: (at) => momentFormat.format(at),
        })
      : params;
  const formattedParams = Object.entries(paramValues).map(([name, value]) => [
    name,
    value instanceof Date ? momentFormat.format(value) : value,
  ]);
  await mailUser(tx, owner, { template, params: Object.fromEntries(formattedParams), path });
}
