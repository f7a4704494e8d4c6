import { TabsSkeleton } from "@/components/shell/page-skeleton";

export default function UserLoading() {
  return <TabsSkeleton />;
}
