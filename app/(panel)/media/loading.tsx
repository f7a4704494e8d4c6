import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function MediaLoading() {
  return <ListSkeleton />;
}
