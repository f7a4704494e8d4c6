import { NoPage } from "@/components/shell/no-page";
import { me } from "@/server/transports/trpc/caller";
import NotFound from "../not-found";

export default async function UnknownNotFound() {
  return (await me()) ? <NoPage /> : <NotFound />;
}
