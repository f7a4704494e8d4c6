import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

export default function ResellerMailLoading() {
  return (
    <PageSkeleton>
      <div className="flex max-w-3xl flex-col gap-6">
        <Skeleton height="36rem" />
      </div>
    </PageSkeleton>
  );
}
