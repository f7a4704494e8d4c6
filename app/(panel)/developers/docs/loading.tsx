import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function Loading() {
  return <ListSkeleton />;
}
