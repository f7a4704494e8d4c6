import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function WebhookLoading() {
  return <ListSkeleton rows={8} />;
}
