import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { WithAside } from "@/components/ui/with-aside";

export default function ResellerMailLoading() {
  return (
    <PageSkeleton>
      <WithAside aside={<Skeleton height="14rem" />}>
        <Skeleton height="36rem" />
      </WithAside>
    </PageSkeleton>
  );
}
