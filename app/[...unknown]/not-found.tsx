import { PageNotFound } from "@/components/shell/page-not-found";
import { currentUser } from "@/server/transports/trpc/caller";
import NotFound from "../not-found";

export default async function UnknownNotFound() {
  return (await currentUser()) ? <PageNotFound /> : <NotFound />;
}
