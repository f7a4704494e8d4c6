import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function PaymentLoading() {
  return <ListSkeleton rowCount={4} />;
}
