import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { PlanOffer } from "@/components/billing/subscriptions/plan-offer";
import { ClientMessages } from "@/components/shell/client-messages";
import { NewSite } from "@/components/sites/sites/new-site";
import { ForbiddenState } from "@/components/ui/forbidden-state";
import { LinkButton } from "@/components/ui/link-button";
import { env } from "@/server/core/env";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sites.new");
  return { title: t("title") };
}

export default async function NewSitePage() {
  const [t, { user, viewer }, { api }] = await Promise.all([getTranslations("sites"), signedIn(), panel()]);
  if (viewer === "agent") {
    return (
      <ForbiddenState
        heading="h1"
        title={t("agent.title")}
        action={<LinkButton href="/sites">{t("agent.back")}</LinkButton>}
      >
        {t("agent.text")}
      </ForbiddenState>
    );
  }
  const forecast = await api.sites.getForecast();
  const plans = forecast.mode === "upgrade" ? await api.subscriptions.list() : undefined;
  return (
    <ClientMessages namespaces={["sites", "widget"]}>
      <NewSite
        forecast={forecast}
        script={env().WIDGET_SCRIPT_URL}
        offer={
          <PlanOffer initial={plans} email={env().SUPPORT_EMAIL} viaReseller={user.reseller_id !== null} />
        }
      />
    </ClientMessages>
  );
}
