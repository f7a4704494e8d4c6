import { Inbox, SearchX } from "lucide-react";
import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LanguageSwitch } from "@/components/shell/language-switch";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { Logo } from "@/components/ui/logo";
import { PageHeader } from "@/components/ui/page-header";
import { parseTheme } from "@/components/ui/preference";
import { env } from "@/server/core/env";
import { LOCALE_LABELS } from "@/server/core/locale";
import { email } from "@/server/core/schema";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { MailList } from "./mail-list";
import { MailView } from "./mail-view";
import { RefreshButton } from "./refresh-button";
import { SearchForm } from "./search-form";
import { MAILBOX_PATH, type MailboxQuery, type MailboxState, parseMailboxState } from "./state";

export const generateMetadata = metadataWithTitle("mailbox.title");

/** Shows the demo's mails, so that links and codes work without a mail server. Not part of production. */
export default async function MailboxPage({ searchParams }: { searchParams: Promise<MailboxQuery> }) {
  if (env().production) notFound();
  const state = parseMailboxState(await searchParams);
  const t = await getTranslations("mailbox");
  const mails = await findMails(state);
  const openMail = mails.find(({ id }) => id === state.mailId);
  const theme = parseTheme((await cookies()).get("theme")?.value);
  return (
    <div className="mx-auto flex min-h-dvh max-w-page flex-col px-4 pb-12 md:px-6 lg:px-8">
      <header className="flex items-center justify-between gap-4 py-3">
        <Logo brand={{ name: env().APP_NAME }} />
        <div className="flex items-center gap-1">
          <LanguageSwitch languages={LOCALE_LABELS} />
          <ThemeSwitch theme={theme} />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 pt-6">
        <PageHeader
          title={t("title")}
          description={t("text")}
          actions={<RefreshButton label={t("refresh")} />}
        />
        <SearchForm state={state} />
        {mails.length > 0 ? (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
            <div className={openMail ? "max-lg:hidden" : undefined}>
              <MailList mails={mails} state={state} />
            </div>
            {openMail ? <MailView mail={openMail} state={state} /> : <NoMailChosen />}
          </div>
        ) : (
          <NoMails state={state} />
        )}
      </main>
    </div>
  );
}

/** Queries by a complete address; filters the latest mails by a partial one. */
async function findMails({ to }: MailboxState) {
  const { api } = await getPanelCaller();
  const completeAddress = email.safeParse(to);
  const { data } = await api.sandbox.listMails({
    query: completeAddress.success ? { to: completeAddress.data } : {},
  });
  if (!to || completeAddress.success) return data;
  return data.filter((mail) => mail.to.toLowerCase().includes(to.toLowerCase()));
}

async function NoMailChosen() {
  const t = await getTranslations("mailbox");
  return (
    <div className="rounded-card border border-border border-dashed max-lg:hidden">
      <EmptyState icon={<Inbox />} title={t("choose")}>
        {t("chooseText")}
      </EmptyState>
    </div>
  );
}

async function NoMails({ state: { to } }: { state: MailboxState }) {
  const t = await getTranslations("mailbox");
  return (
    <div className="rounded-card border border-border bg-surface">
      {to ? (
        <EmptyState
          icon={<SearchX />}
          title={t("none")}
          action={<LinkButton href={MAILBOX_PATH}>{t("clear")}</LinkButton>}
        >
          {t("noneText", { to: `\u2068${to}\u2069` })}
        </EmptyState>
      ) : (
        <EmptyState
          icon={<Inbox />}
          title={t("empty")}
          action={
            <LinkButton variant="primary" href="/sign-up">
              {t("signUp")}
            </LinkButton>
          }
        >
          {t("emptyText")}
        </EmptyState>
      )}
    </div>
  );
}
