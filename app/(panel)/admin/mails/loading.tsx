import { ListSkeleton } from "@/components/shell/page-skeleton";

export default function MailsLoading() {
  return <ListSkeleton rows={8} />;
}
