import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function InvoiceLoading() {
  return <ListSkeleton rowCount={6} />;
}
