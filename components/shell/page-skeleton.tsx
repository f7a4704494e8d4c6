import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Skeleton, SkeletonGroup, SkeletonLines } from "@/components/ui/skeleton";
import { WithAside } from "@/components/ui/with-aside";

export function PageSkeleton({ children }: { children?: ReactNode }) {
  return (
    <SkeletonGroup>
      <div className="mb-8 flex flex-col gap-3">
        <Skeleton width="min(12rem, 60%)" height="2.125rem" />
        <Skeleton width="min(26rem, 100%)" />
      </div>
      {children}
    </SkeletonGroup>
  );
}

export function ListSkeleton({ rowCount = 8 }: { rowCount?: number }) {
  return (
    <PageSkeleton>
      <Card flush>
        <SkeletonLines rowCount={rowCount} />
      </Card>
    </PageSkeleton>
  );
}

export function TabsSkeleton() {
  return (
    <PageSkeleton>
      <div className="mb-8 flex h-11 items-center gap-6 overflow-hidden border-border border-b">
        {["first", "second", "third", "fourth"].map((tab) => (
          <span key={tab} className="shrink-0">
            <Skeleton width="4.5rem" />
          </span>
        ))}
      </div>
      <WithAside aside={<Skeleton height="14rem" />}>
        <Skeleton height="13rem" />
        <Skeleton height="18rem" />
      </WithAside>
    </PageSkeleton>
  );
}
