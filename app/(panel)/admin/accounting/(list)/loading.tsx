import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function AccountingLoading() {
  return <ListSkeleton rowCount={6} />;
}
