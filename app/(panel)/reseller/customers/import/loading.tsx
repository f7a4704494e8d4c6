import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

export default function ImportLoading() {
  return (
    <PageSkeleton>
      <div className="max-w-4xl">
        <Skeleton height="12rem" />
      </div>
    </PageSkeleton>
  );
}
