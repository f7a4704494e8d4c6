import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

export default function NewSiteLoading() {
  return (
    <PageSkeleton>
      <Skeleton height="7rem" />
    </PageSkeleton>
  );
}
