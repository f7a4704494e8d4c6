import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { WithAside } from "@/components/ui/with-aside";

export default function CustomerLoading() {
  return (
    <PageSkeleton>
      <WithAside aside={<Skeleton height="14rem" />}>
        <Skeleton height="22rem" />
        <Skeleton height="14rem" />
      </WithAside>
    </PageSkeleton>
  );
}
