import { ScrollText } from "lucide-react";
import type { Route } from "next";
import { getTranslations } from "next-intl/server";
import { IdentitiesCard } from "@/components/access/identities/identities-card";
import { PasskeysCard } from "@/components/access/passkeys/passkeys-card";
import { DevicesCard } from "@/components/access/tokens/devices-card";
import { HistoryCard } from "@/components/access/tokens/history-card";
import { SessionsCard } from "@/components/access/tokens/sessions-card";
import { SafetySummary, SecurityPanel } from "@/components/access/two-factor/security-panel";
import { PasswordCard } from "@/components/settings/account/password-card";
import { ClientMessages } from "@/components/shell/client-messages";
import { SettingsTabs } from "@/components/shell/settings-tabs";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { SectionNav } from "@/components/ui/section-nav";
import { WithAside } from "@/components/ui/with-aside";
import { connectIdentity } from "@/server/domains/access/identities/contract";
import { listPanelProvidersForHost } from "@/server/domains/access/identities/service/providers";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { getPageHost } from "../../../brand";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("security.title");

export default async function SecurityPage({ searchParams }: PageProps<"/settings/security">) {
  const [t, activityTexts, passkeyTexts, { user, viewer }, { api }] = await Promise.all([
    getTranslations("security"),
    getTranslations("activity"),
    getTranslations("passkeys"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  const [twoFactor, password, sessions, devices, signIns, identities, passkeys] = await Promise.all([
    api.twoFactor.list(),
    api.account.getPassword(),
    api.tokens.listSessions(),
    api.tokens.listDevices(),
    api.tokens.listSignIns(),
    api.identities.list(),
    api.passkeys.list(),
  ]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <SettingsTabs current="security" viewer={viewer} />
      <ClientMessages namespaces={["security", "identity", "auth", "passkeys"]}>
        <WithAside
          asideFirst
          aside={
            <SectionNav
              sections={[
                { id: "passkeys", label: passkeyTexts("title") },
                { id: "password", label: t("password.title") },
                { id: "identities", label: t("identities.title") },
                { id: "second-factor", label: t("factors.title") },
                { id: "sessions", label: t("sessions.title") },
                ...(devices.devices.length > 0 ? [{ id: "devices", label: t("devices.title") }] : []),
                { id: "sign-ins", label: t("history.title") },
              ]}
            />
          }
        >
          <SafetySummary initial={twoFactor} passkeys={passkeys} hasPassword={password.has_password} />
          <div id="passkeys">
            <PasskeysCard initial={passkeys} />
          </div>
          <PasswordCard initial={password} email={user.email} />
          <div id="identities">
            <IdentitiesCard
              initial={identities}
              providers={listPanelProvidersForHost(await getPageHost())}
              outcome={await getConnectOutcome((await searchParams).identity)}
            />
          </div>
          <div id="second-factor">
            <SecurityPanel initial={twoFactor} />
          </div>
          <div id="sessions">
            <SessionsCard initial={sessions} />
          </div>
          <div id="devices" className="empty:hidden">
            <DevicesCard initial={devices} />
          </div>
          <div id="sign-ins">
            <HistoryCard history={signIns} hasPassword={password.has_password} />
          </div>
          <div>
            <LinkButton size="sm" icon={<ScrollText />} href={"/settings/security/activity" as Route}>
              {activityTexts("link")}
            </LinkButton>
          </div>
        </WithAside>
      </ClientMessages>
    </>
  );
}

/** Reads `?identity=`, set on the return from a provider: `connected` or an error code. */
async function getConnectOutcome(code: string | string[] | undefined) {
  if (code === "connected")
    return { ok: true, text: (await getTranslations("responses"))("identity_connected") };
  const errorCode = connectIdentity.errors?.find((each) => each === code);
  return errorCode && { ok: false, text: (await getTranslations("errors"))(errorCode) };
}
