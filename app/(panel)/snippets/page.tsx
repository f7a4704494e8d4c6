import { snippetParsers } from "@/components/sites/snippets/list-view";
import { SnippetsPanel } from "@/components/sites/snippets/snippets-panel";
import { metadataWithTitle } from "../../page-title";
import { listPage } from "../list-page";

export const generateMetadata = metadataWithTitle("snippets.title");

export default listPage({
  parsers: snippetParsers,
  messages: ["snippets", "media"],
  content: async ({ api, input }) => (
    <SnippetsPanel first={{ input, data: await api.snippets.list({ query: input }) }} />
  ),
});
