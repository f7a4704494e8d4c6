import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

/** Fallback until a page's own skeleton loads. Without it, pages that are not prefetched start empty. */
export default function PanelLoading() {
  return (
    <PageSkeleton>
      <Skeleton height="13rem" />
    </PageSkeleton>
  );
}
