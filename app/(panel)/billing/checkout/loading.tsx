import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function CheckoutLoading() {
  return <ListSkeleton rowCount={4} />;
}
