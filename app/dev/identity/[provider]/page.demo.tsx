import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ProviderLogo } from "@/components/access/identities/provider-logo";
import { LanguageSwitch } from "@/components/shell/language-switch";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { Input } from "@/components/ui/input";
import { PageHeader } from "@/components/ui/page-header";
import { parseTheme } from "@/components/ui/preference";
import { env } from "@/server/core/env";
import { LOCALE_LABELS } from "@/server/core/locale";
import { metadataWithTitle } from "../../../page-title";
import { AUTHORIZATION_REQUEST_FIELDS, isIdentityProvider, type ProviderRouteProps } from "./provider";

const IDENTITIES = [
  { name: "Zeynep Ak", email: "zeynep.ak@example.com" },
  { name: "Ayşe Kaya", email: "customer@example.com" },
];

export const generateMetadata = metadataWithTitle("provider.title");

export default async function DemoIdentityPage({
  params,
  searchParams,
}: ProviderRouteProps & { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const { provider } = await params;
  if (env().production || !isIdentityProvider(provider)) notFound();
  const query = await searchParams;
  const getQueryValue = (name: string) => [query[name]].flat()[0] ?? "";
  const t = await getTranslations();
  const theme = parseTheme((await cookies()).get("theme")?.value);
  const action = `/dev/identity/${provider}/answer`;
  const requestFields = AUTHORIZATION_REQUEST_FIELDS.map((name) => (
    <input key={name} type="hidden" name={name} value={getQueryValue(name)} />
  ));
  return (
    <div className="mx-auto flex min-h-dvh max-w-[27rem] flex-col px-4 pb-12">
      <header className="flex items-center justify-end gap-1 py-3">
        <LanguageSwitch languages={LOCALE_LABELS} />
        <ThemeSwitch theme={theme} />
      </header>
      <main id="main" tabIndex={-1} className="pt-[4vh]">
        <div className="rounded-card border border-border bg-surface p-6">
          <p className="mb-4 inline-flex items-center gap-2 font-medium text-fg-muted text-sm">
            <ProviderLogo provider={provider} />
            <span>{t("provider.standsFor", { name: t(`auth.provider.${provider}`) })}</span>
          </p>
          <PageHeader title={t("provider.title")} description={t("provider.text")} />
          {getQueryValue("wrong") ? (
            <div className="mb-5">
              <FormAlert>{t("provider.wrong")}</FormAlert>
            </div>
          ) : null}
          <ul aria-label={t("provider.choose")} className="mb-6 flex flex-col gap-2">
            {IDENTITIES.map(({ name, email }) => (
              <li key={email}>
                <form method="post" action={action}>
                  {requestFields}
                  <input type="hidden" name="name" value={name} />
                  <input type="hidden" name="email" value={email} />
                  <button
                    type="submit"
                    className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-4 rounded-control border border-border px-3.5 py-2 text-start text-sm transition-colors duration-120 hover:bg-sunken"
                  >
                    <bdi className="font-medium">{name}</bdi>
                    <span className="text-compact text-fg-muted">
                      <Ltr>{email}</Ltr>
                    </span>
                  </button>
                </form>
              </li>
            ))}
          </ul>
          <form method="post" action={action} className="flex flex-col gap-5">
            {requestFields}
            <Field label={t("provider.name")}>
              <Input name="name" defaultValue={getQueryValue("name")} autoComplete="off" maxLength={255} />
            </Field>
            <Field label={t("auth.email")}>
              <Input
                name="email"
                type="email"
                dir="ltr"
                defaultValue={getQueryValue("email")}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            </Field>
            <Button type="submit" variant="primary" block>
              {t("provider.submit")}
            </Button>
            <Button type="submit" name="cancel" value="1" variant="ghost" block formNoValidate>
              {t("common.cancel")}
            </Button>
          </form>
        </div>
      </main>
    </div>
  );
}
