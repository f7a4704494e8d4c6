"use client";

import { CircleCheck, CircleDashed, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { Domain } from "@/components/ui/domain";
import { getForeignHost, SeenText } from "./site-facts";
import type { SiteDetail } from "./types";

const POLL_INTERVAL_MS = 4000;

/** Whether the widget's script has reported from the site. Asks again until it has. */
export function SeenStatus({ site }: { site: SiteDetail }) {
  const t = useTranslations("sites.seen");
  const { data } = api.sites.get.useQuery(
    { params: { id: String(site.id) } },
    {
      initialData: { data: site },
      refetchInterval: ({ state }) => (isSeenOnSite(state.data?.data ?? site) ? false : POLL_INTERVAL_MS),
    },
  );
  const isSeen = isSeenOnSite(data.data);
  const foreignHost = getForeignHost(data.data);
  const Icon = isSeen ? CircleCheck : foreignHost ? TriangleAlert : CircleDashed;
  const toneClass = isSeen ? "text-success-text" : foreignHost ? "text-warning-text" : "text-fg-muted";
  return (
    <div role="status" className={`flex items-start gap-2 text-sm ${toneClass}`}>
      <Icon className="mt-[3px] shrink-0" />
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="font-medium">
          <SeenText site={data.data} />
        </p>
        {isSeen ? null : (
          <p className="text-fg-muted">
            {t.rich(foreignHost ? "elsewhereText" : "neverText", {
              domain: () => <Domain name={data.data.domain} />,
            })}
          </p>
        )}
      </div>
    </div>
  );
}

const isSeenOnSite = (site: SiteDetail) => site.last_seen_at !== null && !getForeignHost(site);
