import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function SiteKeysLoading() {
  return <ListSkeleton rowCount={4} />;
}
