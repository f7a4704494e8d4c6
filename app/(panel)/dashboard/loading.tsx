import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

export default function DashboardLoading() {
  return (
    <PageSkeleton>
      <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-3">
        {["sites", "slots", "credits"].map((card) => (
          <Skeleton key={card} height="13rem" />
        ))}
      </div>
      <div className="mt-6">
        <Skeleton height="11rem" />
      </div>
    </PageSkeleton>
  );
}
