import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function AuditLoading() {
  return <ListSkeleton rows={8} />;
}
