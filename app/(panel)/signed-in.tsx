import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { ApiProvider } from "@/components/api/client";
import { KeepSession } from "@/components/api/session";
import { DueBanner } from "@/components/billing/subscriptions/due-banner";
import { viewerOf } from "@/components/navigation/menu";
import { ClientMessages } from "@/components/shell/client-messages";
import { Interactive } from "@/components/shell/interactive";
import { PanelFrame } from "@/components/shell/panel-frame";
import { AgreementBanner } from "@/components/tenancy/agreement/agreement-banner";
import { ViewBand } from "@/components/tenancy/view-as/view-band";
import { themeOf } from "@/components/ui/preference";
import { env } from "@/server/core/env";
import { LOCALE_LABELS } from "@/server/domains/settings/locales/contract";
import { panel } from "@/server/transports/trpc/caller";
import { ownPicture, type Profile } from "./viewer";

/** The panel around a page, for the person with this profile. */
export async function SignedIn({ profile: { user }, children }: { profile: Profile; children: ReactNode }) {
  const [jar, { api }] = await Promise.all([cookies(), panel()]);
  const [{ menu_labels_effective: labels }, { due, count }, { view }, signing] = await Promise.all([
    api.menuLabels.get(),
    api.subscriptions.due(),
    api.viewAs.get(),
    user.role === "reseller" ? api.agreement.get() : undefined,
  ]);
  const [first] = due;
  const dueBy = signing?.agreement.due_by;
  const agent = user.is_agent_only;
  return (
    <Interactive>
      <KeepSession />
      <ApiProvider>
        <ClientMessages namespaces={["settings"]}>
          <PanelFrame
            account={user.id}
            brand={user.app_name ?? env().APP_NAME}
            user={{ name: user.name, email: user.email, avatarUrl: ownPicture(user.avatar_url) }}
            viewer={viewerOf(user)}
            labels={labels}
            credits={agent ? null : user.credits}
            theme={themeOf(jar.get("theme")?.value)}
            collapsed={jar.get("menu")?.value === "collapsed"}
            languages={LOCALE_LABELS}
            mailUnverified={!user.email_verified_at && !view}
            viewAs={view ? <ViewBand view={view} /> : undefined}
            agreement={dueBy && !view ? <AgreementBanner by={dueBy} /> : undefined}
            due={first && !view ? <DueBanner due={first} count={count} /> : null}
          >
            {children}
          </PanelFrame>
        </ClientMessages>
      </ApiProvider>
    </Interactive>
  );
}
