import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function SiteKeysLoading() {
  return <ListSkeleton rows={4} />;
}
