import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function BillingLoading() {
  return <ListSkeleton rows={4} />;
}
