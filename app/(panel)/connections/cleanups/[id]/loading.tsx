import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function CleanupLoading() {
  return <ListSkeleton />;
}
