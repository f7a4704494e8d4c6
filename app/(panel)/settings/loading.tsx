import { TabsSkeleton } from "@/components/shell/page-skeleton";

export default function SettingsLoading() {
  return <TabsSkeleton />;
}
