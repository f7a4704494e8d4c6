import { PageNotFound } from "@/components/shell/page-not-found";
import { getCurrentUser } from "@/server/transports/trpc/caller";
import NotFound from "../not-found";

export default async function UnknownNotFound() {
  return (await getCurrentUser()) ? <PageNotFound /> : <NotFound />;
}
