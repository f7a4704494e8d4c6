import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function CustomersLoading() {
  return <ListSkeleton />;
}
