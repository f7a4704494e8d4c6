import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function JobsLoading() {
  return <ListSkeleton rows={8} />;
}
