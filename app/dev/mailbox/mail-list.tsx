import { clsx } from "clsx";
import { getTranslations } from "next-intl/server";
import { AppLink } from "@/components/ui/app-link";
import { Ltr } from "@/components/ui/bidi";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import { getTextDirection } from "@/server/core/locale";
import type { listMails } from "@/server/domains/platform/sandbox/contract";
import { buildMailboxHref, type MailboxState } from "./state";

export type Mail = Output<typeof listMails>["data"][number];

export const MAIL_STATE_TONE = { queued: "info", sent: "success", failed: "danger" } as const;

export async function MailList({ mails, state }: { mails: readonly Mail[]; state: MailboxState }) {
  const t = await getTranslations("mailbox");
  return (
    <nav aria-label={t("list")} className="overflow-hidden rounded-card border border-border bg-surface">
      <ul className="divide-y divide-border">
        {mails.map((mail) => {
          const isOpen = mail.id === state.mailId;
          return (
            <li
              key={mail.id}
              className={clsx("relative px-4 py-3", isOpen ? "bg-primary-soft" : "hover:bg-sunken")}
            >
              <AppLink
                href={buildMailboxHref(state, { mailId: mail.id })}
                aria-current={isOpen || undefined}
                className="block truncate font-medium text-sm after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2"
              >
                <bdi dir={getTextDirection(mail.locale)}>{mail.subject}</bdi>
              </AppLink>
              <p className="mt-0.5 flex items-center justify-between gap-3 text-compact text-fg-muted">
                <span className="truncate">
                  <Ltr>{mail.to}</Ltr>
                </span>
                <span className="relative shrink-0">
                  <Time value={mail.created_at} />
                </span>
              </p>
              {mail.state === "sent" ? null : (
                <div className="mt-2">
                  <StatusChip tone={MAIL_STATE_TONE[mail.state]}>{t(`state.${mail.state}`)}</StatusChip>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
