import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Viewer } from "@/components/navigation/menu";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { SlotBar } from "@/components/ui/slot-bar";
import type { SiteForecast } from "./types";

export interface SitesHeaderProps {
  /** Null for agents. */
  slotForecast: SiteForecast | null;
  viewer: Viewer;
  hasNoSites: boolean;
}

export function SitesHeader({ slotForecast, viewer, hasNoSites }: SitesHeaderProps) {
  const t = useTranslations("sites");
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t(`intro.${viewer}`)}
        actions={
          viewer === "agent" || hasNoSites ? undefined : (
            <LinkButton data-create variant="primary" href="/sites/new" icon={<Plus />}>
              {t("new.title")}
            </LinkButton>
          )
        }
      />
      {slotForecast && slotForecast.total_slots > 0 ? (
        <div className="-mt-2 mb-6 max-w-xs">
          <SlotBar
            used={slotForecast.used_slots}
            total={slotForecast.total_slots}
            label={t("forecast.used", { used: slotForecast.used_slots, total: slotForecast.total_slots })}
          />
        </div>
      ) : null}
    </>
  );
}
