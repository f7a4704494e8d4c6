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
import { parseTheme } from "@/components/ui/preference";
import { SectionNav } from "@/components/ui/section-nav";
import { pickReaderPreferences } from "@/components/ui/use-format";
import { WithAside } from "@/components/ui/with-aside";
import { isLocale, LOCALE_LABELS, matchLocale } from "@/server/core/locale";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { getLocalPicturePath, requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("settings.tabs.profile");

export default async function ProfilePage() {
  const [t, { user, viewer }, { api }, cookieStore, requestHeaders] = await Promise.all([
    getTranslations("settings"),
    requireSignIn(),
    getPanelCaller(),
    cookies(),
    headers(),
  ]);
  const [phone, { user: profile }] = await Promise.all([api.verification.getPhone(), api.profile.get()]);
  return (
    <>
      <PageHeader title={t("tabs.profile")} description={t("text")} />
      <SettingsTabs current="profile" viewer={viewer} />
      <ClientMessages namespaces={["settings", "auth", "identity", "media"]}>
        <WithAside
          asideFirst
          aside={
            <SectionNav
              sections={(["profile", "details", "language", "dates", "look"] as const).map((id) => ({
                id,
                label: t(`${id}.title`),
              }))}
            />
          }
        >
          <div id="profile">
            <ProfileCard user={user} viewer={viewer} picturePath={getLocalPicturePath(user.avatar_url)} />
          </div>
          <div id="details">
            <DetailsCard
              user={user}
              phone={{
                phone: phone.phone,
                isVerified: phone.verified_at !== null,
                isSmsOffered: phone.sms_offered,
                receivesTexts: phone.receives_texts,
              }}
            />
          </div>
          <LanguageCard
            selectedLocale={isLocale(user.locale) ? user.locale : null}
            automaticLanguage={LOCALE_LABELS[matchLocale(requestHeaders.get("accept-language"))]}
            mailLanguage={profile.mail_locale && LOCALE_LABELS[profile.mail_locale]}
            languages={LOCALE_LABELS}
          />
          <DatesCard preferences={pickReaderPreferences(profile)} />
          <div id="look">
            <AppearanceCard
              theme={parseTheme(cookieStore.get("theme")?.value)}
              density={cookieStore.get("density")?.value === "compact" ? "compact" : "comfortable"}
              hasKeyShortcuts={cookieStore.get("keys")?.value !== "off"}
            />
          </div>
        </WithAside>
      </ClientMessages>
    </>
  );
}
