"use client";

import dynamic from "next/dynamic";
import { ListPeek } from "@/components/api/list-peek";
import { SkeletonRows } from "@/components/ui/skeleton";
import { getSitePath } from "./site-path";
import type { Site } from "./types";

const SitePeek = dynamic(() => import("./site-peek").then((file) => file.SitePeek), {
  ssr: false,
  loading: () => <SkeletonRows />,
});

export function PeekSites({ sites, ownerOf }: { sites: readonly Site[]; ownerOf?: (site: Site) => string }) {
  return (
    <ListPeek rows={sites} rowKey={getSiteKey} title={({ name }) => name} href={({ id }) => getSitePath(id)}>
      {(site) => <SitePeek site={site} owner={ownerOf?.(site)} />}
    </ListPeek>
  );
}

const getSiteKey = ({ id }: Site) => String(id);
