import { snippetParsers } from "@/components/sites/snippets/list-view";
import { SnippetsPanel } from "@/components/sites/snippets/snippets-panel";
import { metadataWithTitle } from "../../page-title";
import { createListPage } from "../list-page";

export const generateMetadata = metadataWithTitle("snippets.title");

export default createListPage({
  parsers: snippetParsers,
  messages: ["snippets", "media"],
  renderContent: async ({ api, input }) => (
    <SnippetsPanel firstPage={{ input, data: await api.snippets.list({ query: input }) }} />
  ),
});
