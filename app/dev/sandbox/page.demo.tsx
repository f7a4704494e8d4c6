import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ApiProvider } from "@/components/api/client";
import { ClientMessages } from "@/components/shell/client-messages";
import { LanguageSwitch } from "@/components/shell/language-switch";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { Logo } from "@/components/ui/logo";
import { PageHeader } from "@/components/ui/page-header";
import { parseTheme } from "@/components/ui/preference";
import { env } from "@/server/core/env";
import { LOCALE_LABELS } from "@/server/core/locale";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { SandboxPanel } from "./sandbox-panel";

export const generateMetadata = metadataWithTitle("sandbox.title");

const HINTED_SERVICES = ["telegram", "meta", "evolution", "twilio", "parasut", "webhook"] as const;

/** Shows calls to the sandboxes and scripts their failures. Not part of production. */
export default async function SandboxPage() {
  if (env().production) notFound();
  const [t, { api }, cookieStore] = await Promise.all([
    getTranslations("sandbox"),
    getPanelCaller(),
    cookies(),
  ]);
  const sandboxCalls = await api.sandbox.list({ query: {} });
  return (
    <ApiProvider>
      <ClientMessages namespaces={["sandbox"]}>
        <div className="mx-auto flex min-h-dvh max-w-page flex-col px-4 pb-12 md:px-6 lg:px-8">
          <header className="flex items-center justify-between gap-4 py-3">
            <Logo brand={{ name: env().APP_NAME }} />
            <div className="flex items-center gap-1">
              <LanguageSwitch languages={LOCALE_LABELS} />
              <ThemeSwitch theme={parseTheme(cookieStore.get("theme")?.value)} />
            </div>
          </header>
          <main id="main" tabIndex={-1} className="flex-1 pt-6">
            <PageHeader
              title={t("title")}
              description={t("text")}
              actions={<LinkButton href="/connections">{t("connections")}</LinkButton>}
            />
            <SandboxPanel initial={sandboxCalls}>
              <Card title={t("hints.title")}>
                <dl className="flex flex-col gap-3 text-sm">
                  {HINTED_SERVICES.map((service) => (
                    <div key={service}>
                      <dt className="font-medium">{t(`party.${service}`)}</dt>
                      <dd className="wrap-anywhere text-fg-muted">{t(`hints.${service}`)}</dd>
                    </div>
                  ))}
                </dl>
              </Card>
            </SandboxPanel>
          </main>
        </div>
      </ClientMessages>
    </ApiProvider>
  );
}
