import { cookies } from "next/headers";
import { mediaParsers } from "@/components/sites/media/list-view";
import { MediaLibrary } from "@/components/sites/media/media-library";
import { metadataWithTitle } from "../../page-title";
import { createListPage } from "../list-page";

export const generateMetadata = metadataWithTitle("media.title");

export default createListPage({
  parsers: mediaParsers,
  messages: ["media"],
  renderContent: async ({ api, input }) => {
    const [data, cookieStore] = await Promise.all([api.media.list({ query: input }), cookies()]);
    const view = cookieStore.get("media")?.value === "list" ? "list" : "grid";
    return <MediaLibrary firstPage={{ input, data }} initialView={view} />;
  },
});
