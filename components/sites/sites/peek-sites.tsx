"use client";

import { RowPreview } from "@/components/api/row-preview";
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";
import { getSitePath } from "./site-path";
import type { Site } from "./types";

const SitePeek = lazyPart(() => import("./site-peek").then((file) => file.SitePeek), {
  loading: () => <SkeletonRows />,
});

export function SitesPeek({
  sites,
  getOwnerName,
}: {
  sites: readonly Site[];
  getOwnerName?: (site: Site) => string;
}) {
  return (
    <RowPreview
      rows={sites}
      rowKey={getSiteKey}
      title={({ name }) => name}
      href={({ id }) => getSitePath(id)}
    >
      {(site) => <SitePeek site={site} ownerName={getOwnerName?.(site)} />}
    </RowPreview>
  );
}

const getSiteKey = ({ id }: Site) => String(id);
