import { TabsSkeleton } from "@/components/shell/page-skeleton";

export default function SiteLoading() {
  return <TabsSkeleton />;
}
