import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function PaymentsLoading() {
  return <ListSkeleton rowCount={6} />;
}
