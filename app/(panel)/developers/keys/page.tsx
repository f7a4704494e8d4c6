import { KeysPanel } from "@/components/access/tokens/keys-panel";
import { keyParsers } from "@/components/access/tokens/list-view";
import { env } from "@/server/core/env";
import { metadataWithTitle } from "../../../page-title";
import { listPage } from "../../list-page";
import { DevelopersForbidden } from "../developers-forbidden";

export const generateMetadata = metadataWithTitle("keys.title");

export default listPage({
  parsers: keyParsers,
  messages: ["keys", "keyUse", "identity", "auth"],
  content: async ({ api, input, viewer }) => {
    if (viewer === "agent") return <DevelopersForbidden namespace="keys" />;
    const data = await api.tokens.listKeys({ query: { page: input.page } });
    return <KeysPanel first={{ input, data }} origin={env().APP_URL} />;
  },
});
