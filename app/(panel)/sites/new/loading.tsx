import { Skeleton, SkeletonGroup } from "@/components/ui/skeleton";

export default function NewSiteLoading() {
  return (
    <SkeletonGroup>
      <div className="mb-8 flex flex-col gap-3">
        <Skeleton width="12rem" height="2.125rem" />
        <Skeleton width="min(26rem, 100%)" />
      </div>
      <Skeleton height="7rem" />
    </SkeletonGroup>
  );
}
