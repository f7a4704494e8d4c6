import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function InvoiceLoading() {
  return <ListSkeleton rows={6} />;
}
