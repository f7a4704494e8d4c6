import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function PayoutsLoading() {
  return <ListSkeleton rowCount={6} />;
}
