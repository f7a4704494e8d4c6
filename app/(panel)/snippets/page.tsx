import { snippetParsers } from "@/components/sites/snippets/list-view";
import { SnippetsPanel } from "@/components/sites/snippets/snippets-panel";
import { pageTitle } from "../../page-title";
import { listPage } from "../list-page";

export const generateMetadata = pageTitle("snippets.title");

export default listPage({
  parsers: snippetParsers,
  messages: ["snippets", "media"],
  content: async ({ api, input }) => (
    <SnippetsPanel first={{ input, data: await api.snippets.list({ query: input }) }} />
  ),
});
