import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function SubscriptionsLoading() {
  return <ListSkeleton rowCount={6} />;
}
