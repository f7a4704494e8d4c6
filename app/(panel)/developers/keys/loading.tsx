import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function KeysLoading() {
  return <ListSkeleton rowCount={4} />;
}
