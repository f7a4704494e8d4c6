import { cookies, headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { AppearanceCard } from "@/components/settings/account/appearance-card";
import { DatesCard } from "@/components/settings/account/dates-card";
import { DetailsCard } from "@/components/settings/account/details-card";
import { LanguageCard } from "@/components/settings/account/language-card";
import { ProfileCard } from "@/components/settings/account/profile-card";
import { ClientMessages } from "@/components/shell/client-messages";
import { SettingsTabs } from "@/components/shell/settings-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { themeOf } from "@/components/ui/preference";
import { preferencesOf } from "@/components/ui/use-format";
import { isLocale, LOCALE_LABELS, matchLocale } from "@/server/core/locale";
import { panel } from "@/server/transports/trpc/caller";
import { pageTitle } from "../../../page-title";
import { ownPicture, signedIn } from "../../viewer";

export const generateMetadata = pageTitle("settings.tabs.profile");

export default async function ProfilePage() {
  const [t, { user, viewer }, { api }, jar, head] = await Promise.all([
    getTranslations("settings"),
    signedIn(),
    panel(),
    cookies(),
    headers(),
  ]);
  const [phone, { user: profile }] = await Promise.all([api.verification.getPhone(), api.profile.get()]);
  return (
    <>
      <PageHeader title={t("tabs.profile")} description={t("text")} />
      <SettingsTabs current="profile" viewer={viewer} />
      <ClientMessages namespaces={["settings", "auth", "identity", "media"]}>
        <div className="flex max-w-3xl flex-col gap-6">
          <ProfileCard user={user} viewer={viewer} picture={ownPicture(user.avatar_url)} />
          <DetailsCard
            user={user}
            phone={{
              phone: phone.phone,
              verified: phone.verified_at !== null,
              offered: phone.sms_offered,
              receives: phone.receives_texts,
            }}
          />
          <LanguageCard
            choice={isLocale(user.locale) ? user.locale : null}
            automatic={LOCALE_LABELS[matchLocale(head.get("accept-language"))]}
            languages={LOCALE_LABELS}
          />
          <DatesCard choice={preferencesOf(profile)} />
          <AppearanceCard
            theme={themeOf(jar.get("theme")?.value)}
            density={jar.get("density")?.value === "compact" ? "compact" : "comfortable"}
            keys={jar.get("keys")?.value !== "off"}
          />
        </div>
      </ClientMessages>
    </>
  );
}
