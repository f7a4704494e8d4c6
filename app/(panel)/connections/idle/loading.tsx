import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function IdleConnectionsLoading() {
  return <ListSkeleton />;
}
