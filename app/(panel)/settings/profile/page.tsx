import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { LanguageCard } from "@/components/profile/language-card";
import { LookCard } from "@/components/profile/look-card";
import { ProfileCard } from "@/components/profile/profile-card";
import { SettingsTabs } from "@/components/settings/settings-tabs";
import { ClientMessages } from "@/components/shell/client-messages";
import { themeOf } from "@/components/shell/preference";
import { PageHeader } from "@/components/ui/page-header";
import { isLocale, LOCALE_LABELS, matchLocale } from "@/server/domains/locales/contract";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("settings");
  return { title: t("title") };
}

export default async function ProfilePage() {
  const [t, { user, viewer }, jar, head] = await Promise.all([
    getTranslations("settings"),
    signedIn(),
    cookies(),
    headers(),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <SettingsTabs current="profile" />
      <ClientMessages namespaces={["settings"]}>
        <div className="flex max-w-3xl flex-col gap-6">
          <ProfileCard user={user} viewer={viewer} />
          <LanguageCard
            choice={isLocale(user.locale) ? user.locale : null}
            automatic={LOCALE_LABELS[matchLocale(head.get("accept-language"))]}
            languages={LOCALE_LABELS}
          />
          <LookCard
            theme={themeOf(jar.get("theme")?.value)}
            density={jar.get("density")?.value === "compact" ? "compact" : "comfortable"}
          />
        </div>
      </ClientMessages>
    </>
  );
}
