import { Globe } from "lucide-react";
import { useTranslations } from "next-intl";
import { SiteStateChip } from "@/components/sites/sites/site-facts";
import { getSitePath } from "@/components/sites/sites/site-path";
import type { Site } from "@/components/sites/sites/types";
import { Card } from "@/components/ui/card";
import { Domain } from "@/components/ui/domain";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

export function AgentCard({ site }: { site: Site | undefined }) {
  const t = useTranslations("dashboard.agent");
  if (!site) {
    return (
      <Card>
        <EmptyState icon={<Globe />} title={t("none")}>
          {t("noneText")}
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card
      title={<bdi>{site.name}</bdi>}
      description={<Domain name={site.domain} />}
      actions={<SiteStateChip site={site} />}
      footer={<LinkButton href={getSitePath(site.id)}>{t("open")}</LinkButton>}
    >
      <p className="text-fg-muted text-sm">{t(site.ai_enabled ? "aiOn" : "aiOff")}</p>
    </Card>
  );
}
