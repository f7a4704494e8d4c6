import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { MAIL_STATE_TONE } from "@/components/platform/mail/mail-state-tone";
import { ResendButton } from "@/components/platform/mail/resend-button";
import { ClientMessages } from "@/components/shell/client-messages";
import { Card } from "@/components/ui/card";
import { Crumb } from "@/components/ui/crumbs";
import { KeyValue } from "@/components/ui/key-value";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { WithAside } from "@/components/ui/with-aside";
import type { Output } from "@/server/core/contract";
import { isAppError } from "@/server/core/errors";
import { getTextDirection, LOCALE_LABELS, type Locale } from "@/server/core/locale";
import type { showMail } from "@/server/domains/platform/mail/contract";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { requireSignIn } from "../../../viewer";

type Mail = Output<typeof showMail>["mail"];

/** Returns undefined for an unknown ID or a viewer who is not an administrator. */
const findMail = cache(async (id: string) => {
  const { viewer } = await requireSignIn();
  if (viewer !== "admin" || !/^[1-9]\d{0,8}$/.test(id)) return undefined;
  const { api } = await getPanelCaller();
  try {
    return (await api.mail.show({ params: { id } })).mail;
  } catch (error) {
    const { cause } = error as Error;
    if (isAppError(cause) && cause.code === "record_not_found") return undefined;
    throw error;
  }
});

export async function generateMetadata({ params }: PageProps<"/admin/mails/[id]">): Promise<Metadata> {
  const [{ id }, t] = await Promise.all([params, getTranslations("mailLog")]);
  const mail = await findMail(id);
  return { title: mail ? (mail.subject ?? t("one", { id })) : t("title") };
}

/** For administrators: one mail, without its links and codes, and its delivery attempts. */
export default async function MailPage({ params }: PageProps<"/admin/mails/[id]">) {
  const [{ id }, t] = await Promise.all([params, getTranslations("mailLog")]);
  const mail = await findMail(id);
  if (!mail) notFound();
  const title = t("one", { id });
  return (
    <>
      <Crumb>{title}</Crumb>
      <PageHeader title={mail.subject ?? title} description={t("previewText")} />
      <WithAside aside={<MailFacts mail={mail} />}>
        <Card title={t("preview")}>
          {mail.preview ? (
            <p
              lang={mail.locale}
              dir={getTextDirection(mail.locale)}
              className="wrap-anywhere whitespace-pre-line text-sm"
            >
              {mail.preview}
            </p>
          ) : (
            <p className="text-fg-muted text-sm">{t("erased")}</p>
          )}
        </Card>
        <DeliveryAttempts tries={mail.tries} />
        <div className="flex flex-wrap items-center gap-2">
          <LinkButton size="sm" href="/admin/mails">
            {t("back")}
          </LinkButton>
          {mail.resendable ? (
            <ClientMessages namespaces={["mailLog"]}>
              <ResendButton id={mail.id} />
            </ClientMessages>
          ) : null}
          {mail.state === "sent" && mail.opens ? (
            <p className="text-fg-muted text-sm">{t("whyNot")}</p>
          ) : null}
        </div>
      </WithAside>
    </>
  );
}

async function MailFacts({ mail }: { mail: Mail }) {
  const t = await getTranslations("mailLog");
  const items = [
    { key: "to", label: t("column.to"), value: <bdi>{mail.to}</bdi> },
    {
      key: "state",
      label: t("column.state"),
      value: <StatusChip tone={MAIL_STATE_TONE[mail.state]}>{t(`state.${mail.state}`)}</StatusChip>,
    },
    { key: "template", label: t("template"), value: <bdi>{mail.template}</bdi> },
    { key: "language", label: t("language"), value: <bdi>{LOCALE_LABELS[mail.locale as Locale]}</bdi> },
    { key: "at", label: t("column.at"), value: <Time value={mail.created_at} /> },
    ...(mail.sent_at ? [{ key: "sent", label: t("sentAt"), value: <Time value={mail.sent_at} /> }] : []),
    ...(mail.error ? [{ key: "error", label: t("error"), value: <bdi dir="ltr">{mail.error}</bdi> }] : []),
  ];
  return (
    <Card>
      <KeyValue items={items} />
    </Card>
  );
}

async function DeliveryAttempts({ tries }: Pick<Mail, "tries">) {
  const t = await getTranslations("mailLog");
  const formatVia = (via: string) =>
    t.has(`via.${via}` as "via.system") ? t(`via.${via}` as "via.system") : via;
  const formatOutcome = (outcome: string) =>
    t(
      t.has(`outcome.${outcome}` as "outcome.sent")
        ? (`outcome.${outcome}` as "outcome.sent")
        : "outcome.other",
    );
  return (
    <Card title={t("tries")}>
      {tries.length === 0 ? (
        <p className="text-fg-muted text-sm">{t("noTries")}</p>
      ) : (
        <ul className="divide-y divide-border">
          {tries.map((attempt) => (
            <li
              key={`${attempt.at} ${attempt.via}`}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0"
            >
              <span className="min-w-0 flex-1 text-sm">{formatVia(attempt.via)}</span>
              <StatusChip tone={attempt.outcome === "sent" ? "success" : "warning"}>
                {formatOutcome(attempt.outcome)}
              </StatusChip>
              <span className="text-compact text-fg-muted">
                <Time value={attempt.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
