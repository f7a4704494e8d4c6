import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function WebhooksLoading() {
  return <ListSkeleton rowCount={3} />;
}
