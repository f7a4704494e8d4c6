import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function TeamLoading() {
  return <ListSkeleton rowCount={4} />;
}
