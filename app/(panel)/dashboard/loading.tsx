import { Skeleton, SkeletonGroup } from "@/components/ui/skeleton";

export default function DashboardLoading() {
  return (
    <SkeletonGroup>
      <div className="mb-8 flex flex-col gap-3">
        <Skeleton width="14rem" height="2.125rem" />
        <Skeleton width="min(22rem, 100%)" />
      </div>
      <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-3">
        {["sites", "slots", "credits"].map((card) => (
          <Skeleton key={card} height="13rem" />
        ))}
      </div>
      <div className="mt-6">
        <Skeleton height="11rem" />
      </div>
    </SkeletonGroup>
  );
}
