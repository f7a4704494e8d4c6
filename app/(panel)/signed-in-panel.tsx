import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ApiProvider } from "@/components/api/client";
import { KeepSession } from "@/components/api/session";
import { DuePaymentBanner } from "@/components/billing/subscriptions/due-banner";
import { getViewer } from "@/components/navigation/menu";
import { ClientMessages } from "@/components/shell/client-messages";
import { Credits } from "@/components/shell/credits";
import { InteractiveProviders } from "@/components/shell/interactive-providers";
import { PanelFrame } from "@/components/shell/panel-frame";
import { DeadConnectionBanner } from "@/components/sites/connections/dead-banner";
import { AgreementBanner } from "@/components/tenancy/legal-texts/agreement-notice";
import { ViewAsBanner } from "@/components/tenancy/view-as/view-banner";
import { parseTheme } from "@/components/ui/preference";
import { LOCALE_LABELS } from "@/server/core/locale";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { getPageBrand, toBrandProps } from "../brand";
import { getLocalPicturePath, getTwoFactorRequirement, type Profile } from "./viewer";

export async function SignedInPanel({
  profile: { user },
  children,
}: {
  profile: Profile;
  children: ReactNode;
}) {
  const [cookieStore, { api }, brand, twoFactor] = await Promise.all([
    cookies(),
    getPanelCaller(),
    getPageBrand(),
    getTwoFactorRequirement(),
  ]);
  // While the second factor is overdue, the calls for payments, connections and the agreement fail.
  const canUsePanel = !twoFactor.duty?.overdue;
  const [
    { menu_labels_effective: menuLabels },
    { due: dueItems, count: dueCount },
    deadConnections,
    { view: impersonation },
    agreementStatus,
  ] = await Promise.all([
    api.preferences.getMenuLabels(),
    canUsePanel ? api.subscriptions.due() : { due: [], count: 0 },
    canUsePanel ? api.connections.countDead() : { count: 0, connections: [] },
    api.viewAs.get(),
    canUsePanel && user.role === "reseller" ? api.legalTexts.getAgreement() : undefined,
  ]);
  const [firstDueItem] = dueItems;
  const [deadConnection] = deadConnections.connections;
  const agreement = agreementStatus?.agreement;
  const isAgent = user.is_agent_only;
  return (
    <InteractiveProviders>
      <KeepSession />
      <ApiProvider>
        <ClientMessages
          namespaces={twoFactor.duty ? ["settings", "palette", "factorDuty"] : ["settings", "palette"]}
        >
          <PanelFrame
            accountId={user.id}
            brand={{ ...toBrandProps(brand), ...(user.app_name && { name: user.app_name }) }}
            user={{ name: user.name, email: user.email, avatarUrl: getLocalPicturePath(user.avatar_url) }}
            viewer={getViewer(user)}
            labels={menuLabels}
            credits={isAgent ? null : <Credits balance={user.credits} />}
            theme={parseTheme(cookieStore.get("theme")?.value)}
            collapsed={cookieStore.get("menu")?.value === "collapsed"}
            languages={LOCALE_LABELS}
            isMailUnverified={!user.email_verified_at && !impersonation}
            viewAsBanner={impersonation ? <ViewAsBanner view={impersonation} /> : undefined}
            agreementBanner={
              agreement?.due && !impersonation ? <AgreementBanner dueBy={agreement.due_by} /> : undefined
            }
            isAgreementSigned={agreement?.signed}
            twoFactorRequirement={twoFactor.duty && !impersonation ? twoFactor : undefined}
            duePaymentBanner={
              firstDueItem && !impersonation ? <DuePaymentBanner due={firstDueItem} count={dueCount} /> : null
            }
            deadConnectionBanner={
              deadConnection && !impersonation ? (
                <DeadConnectionBanner connection={deadConnection} count={deadConnections.count} />
              ) : null
            }
          >
            {children}
          </PanelFrame>
        </ClientMessages>
      </ApiProvider>
    </InteractiveProviders>
  );
}
