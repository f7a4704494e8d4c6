import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ApiProvider } from "@/components/api/client";
import { KeepSession } from "@/components/api/session";
import { DueBanner } from "@/components/billing/subscriptions/due-banner";
import { viewerOf } from "@/components/navigation/menu";
import { ClientMessages } from "@/components/shell/client-messages";
import { Credits } from "@/components/shell/credits";
import { Interactive } from "@/components/shell/interactive";
import { PanelFrame } from "@/components/shell/panel-frame";
import { DeadBanner } from "@/components/sites/connections/dead-banner";
import { AgreementBanner } from "@/components/tenancy/legal-texts/agreement-banner";
import { ViewBanner } from "@/components/tenancy/view-as/view-banner";
import { themeOf } from "@/components/ui/preference";
import { LOCALE_LABELS } from "@/server/core/locale";
import { panel } from "@/server/transports/trpc/caller";
import { brandOfPage, brandPropsOf } from "../brand";
import { factorDuty, ownPicture, type Profile } from "./viewer";

/** The panel around a page, with its data loaded for this account. */
export async function SignedIn({ profile: { user }, children }: { profile: Profile; children: ReactNode }) {
  const [jar, { api }, brand, duty] = await Promise.all([cookies(), panel(), brandOfPage(), factorDuty()]);
  const isOpen = !duty.duty?.overdue;
  const [{ menu_labels_effective: labels }, { due, count }, { count: deadCount }, { view }, agreementStatus] =
    await Promise.all([
      api.preferences.getMenuLabels(),
      isOpen ? api.subscriptions.due() : { due: [], count: 0 },
      isOpen ? api.connections.countDead() : { count: 0 },
      api.viewAs.get(),
      isOpen && user.role === "reseller" ? api.legalTexts.getAgreement() : undefined,
    ]);
  const [first] = due;
  const dueBy = agreementStatus?.agreement.due_by;
  const isAgent = user.is_agent_only;
  return (
    <Interactive>
      <KeepSession />
      <ApiProvider>
        <ClientMessages
          namespaces={duty.duty ? ["settings", "palette", "factorDuty"] : ["settings", "palette"]}
        >
          <PanelFrame
            account={user.id}
            brand={{ ...brandPropsOf(brand), ...(user.app_name && { name: user.app_name }) }}
            user={{ name: user.name, email: user.email, avatarUrl: ownPicture(user.avatar_url) }}
            viewer={viewerOf(user)}
            labels={labels}
            credits={isAgent ? null : <Credits left={user.credits} />}
            theme={themeOf(jar.get("theme")?.value)}
            collapsed={jar.get("menu")?.value === "collapsed"}
            languages={LOCALE_LABELS}
            mailUnverified={!user.email_verified_at && !view}
            viewAs={view ? <ViewBanner view={view} /> : undefined}
            agreement={dueBy && !view ? <AgreementBanner by={dueBy} /> : undefined}
            duty={duty.duty && !view ? duty : undefined}
            due={first && !view ? <DueBanner due={first} count={count} /> : null}
            connectionDead={deadCount > 0 && !view ? <DeadBanner count={deadCount} /> : null}
          >
            {children}
          </PanelFrame>
        </ClientMessages>
      </ApiProvider>
    </Interactive>
  );
}
