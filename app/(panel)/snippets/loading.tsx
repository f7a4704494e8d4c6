import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function SnippetsLoading() {
  return <ListSkeleton />;
}
