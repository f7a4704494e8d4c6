import { KeysPanel } from "@/components/access/tokens/keys-panel";
import { keyListParsers } from "@/components/access/tokens/list-view";
import { env } from "@/server/core/env";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";
import { DevelopersForbidden } from "../developers-forbidden";

export const generateMetadata = metadataWithTitle("keys.title");

export default createListPage({
  parsers: keyListParsers,
  messages: ["keys", "keyUse", "identity", "auth"],
  renderContent: async ({ api, input, viewer }) => {
    if (viewer === "agent") return <DevelopersForbidden namespace="keys" />;
    const data = await api.tokens.listKeys({ query: { page: input.page } });
    return <KeysPanel firstPage={{ input, data }} origin={env().APP_URL} />;
  },
});
