import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function LicencesLoading() {
  return <ListSkeleton rows={6} />;
}
