import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function UsersLoading() {
  return <ListSkeleton />;
}
