import { Card } from "@/components/ui/card";
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";

export default function TeamLoading() {
  return (
    <>
      <div className="mb-8 flex flex-col gap-3">
        <Skeleton width="10rem" height="2.125rem" />
        <Skeleton width="min(26rem, 100%)" />
      </div>
      <Card flush>
        <SkeletonRows rows={4} />
      </Card>
    </>
  );
}
