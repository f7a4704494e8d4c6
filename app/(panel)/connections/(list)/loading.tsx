import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function ConnectionsLoading() {
  return <ListSkeleton />;
}
