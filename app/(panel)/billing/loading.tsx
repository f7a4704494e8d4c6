import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function BillingLoading() {
  return <ListSkeleton rowCount={4} />;
}
