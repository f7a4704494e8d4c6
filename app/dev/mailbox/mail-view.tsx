import { ArrowLeft, Link2 } from "lucide-react";
import type { Route } from "next";
import { getTranslations } from "next-intl/server";
import { AppLink } from "@/components/ui/app-link";
import { Ltr } from "@/components/ui/bidi";
import { CopyButton } from "@/components/ui/copy-button";
import { LinkButton } from "@/components/ui/link-button";
import { StatusChip } from "@/components/ui/status-chip";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { getTextDirection } from "@/server/core/locale";
import { MAIL_STATE_TONE, type Mail } from "./mail-list";
import { buildMailboxHref, type MailboxState } from "./state";

const LINK_PATTERN = /https?:\/\/[^\s<>"]+/g;

export async function MailView({ mail, state }: { mail: Mail; state: MailboxState }) {
  const t = await getTranslations("mailbox");
  const code = /(?<![\w/=-])\d{6}(?![\w-])/.exec(mail.text.replace(LINK_PATTERN, ""))?.[0];
  const link = mail.text.match(LINK_PATTERN)?.find((url) => url.includes("?"));
  return (
    <article aria-labelledby="mail-subject" className="min-w-0 rounded-card border border-border bg-surface">
      <header className="border-border border-b p-5">
        <AppLink
          href={buildMailboxHref(state, { mailId: undefined })}
          className="-ms-1 mb-3 inline-flex min-h-6 items-center gap-1.5 rounded-control px-1 text-fg-muted text-sm hover:text-fg lg:hidden pointer-coarse:min-h-11"
        >
          <ArrowLeft className="mirror" />
          {t("back")}
        </AppLink>
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h2 id="mail-subject" className="wrap-anywhere font-semibold text-lg">
            <bdi dir={getTextDirection(mail.locale)}>{mail.subject}</bdi>
          </h2>
          <StatusChip tone={MAIL_STATE_TONE[mail.state]}>{t(`state.${mail.state}`)}</StatusChip>
        </div>
        <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-compact">
          <div className="flex min-w-0 gap-2">
            <dt className="text-fg-muted">{t("to")}</dt>
            <dd className="wrap-anywhere">
              <Ltr>{mail.to}</Ltr>
            </dd>
          </div>
          <div className="flex gap-2">
            <dt className="text-fg-muted">{t("sentAt")}</dt>
            <dd>
              <Time value={mail.created_at} show="dateTime" />
            </dd>
          </div>
        </dl>
        {link || code ? (
          <div className="mt-4 flex flex-wrap items-center gap-3">
            {link ? (
              <LinkButton variant="primary" icon={<Link2 />} href={link as Route} prefetch={false}>
                {t("openLink")}
              </LinkButton>
            ) : null}
            {code ? (
              <span className="inline-flex flex-wrap items-center gap-3">
                <CopyButton text={code} label={t("copyCode")} />
                <span className="text-lg">
                  <span className="sr-only">{t("code")} </span>
                  <Ltr mono>{code}</Ltr>
                </span>
              </span>
            ) : null}
          </div>
        ) : null}
      </header>
      <ViewTabs state={state} />
      {state.view === "html" ? (
        <iframe
          title={t("preview", { subject: mail.subject })}
          srcDoc={openLinksInNewTab(mail.html)}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          className="block h-[38rem] w-full rounded-b-card bg-white"
        />
      ) : (
        <div dir="auto" className="wrap-anywhere whitespace-pre-wrap p-5 font-mono text-compact">
          <LinkedText text={mail.text} />
        </div>
      )}
    </article>
  );
}

async function ViewTabs({ state }: { state: MailboxState }) {
  const t = await getTranslations("mailbox");
  return (
    <nav aria-label={t("views")} className="flex gap-6 border-border border-b px-5">
      {(["html", "text"] as const).map((view) => (
        <AppLink
          key={view}
          href={buildMailboxHref(state, { view })}
          replace
          scroll={false}
          aria-current={state.view === view || undefined}
          className="-mb-px flex min-h-11 items-center border-transparent border-b-2 font-medium text-fg-muted text-sm hover:text-fg focus-visible:-outline-offset-2 aria-[current]:border-primary aria-[current]:text-fg"
        >
          {t(view === "html" ? "html" : "plain")}
        </AppLink>
      ))}
    </nav>
  );
}

function LinkedText({ text }: { text: string }) {
  const textParts = text.split(/(https?:\/\/[^\s<>"]+)/g);
  return textParts.map((textPart, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <TextLink key={index} href={textPart as Route} prefetch={false}>
        <Ltr>{textPart}</Ltr>
      </TextLink>
    ) : (
      textPart
    ),
  );
}

/** Opens links in a new tab, because the sandboxed frame cannot navigate. */
function openLinksInNewTab(html: string): string {
  // The page's CSP would block a mail's style element.
  return html.replace(/<style>[^<]*<\/style>/, "").replace(/<head[^<>]*>/i, '$&<base target="_blank">');
}
