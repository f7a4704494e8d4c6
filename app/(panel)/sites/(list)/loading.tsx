import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function SitesLoading() {
  return <ListSkeleton />;
}
