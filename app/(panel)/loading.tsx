import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

/** Until the skeleton of the page itself is there: without one here, a page that is not prefetched begins empty. */
export default function PanelLoading() {
  return (
    <PageSkeleton>
      <Skeleton height="13rem" />
    </PageSkeleton>
  );
}
