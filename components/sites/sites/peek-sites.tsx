"use client";

import dynamic from "next/dynamic";
import { RowPreview } from "@/components/api/row-preview";
import { SkeletonRows } from "@/components/ui/skeleton";
import { getSitePath } from "./site-path";
import type { Site } from "./types";

const SitePeek = dynamic(() => import("./site-peek").then((file) => file.SitePeek), {
  ssr: false,
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
