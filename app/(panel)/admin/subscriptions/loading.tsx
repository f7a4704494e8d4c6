import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function SubscriptionsLoading() {
  return <ListSkeleton rows={6} />;
}
