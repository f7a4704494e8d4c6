import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function LicencesLoading() {
  return <ListSkeleton rowCount={6} />;
}
