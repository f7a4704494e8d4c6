import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function TeamLoading() {
  return <ListSkeleton rows={4} />;
}
