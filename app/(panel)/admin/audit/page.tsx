import { AuditTable } from "@/components/accounts/audit/audit-table";
import { ChainCard } from "@/components/accounts/audit/chain-card";
import { auditParsers } from "@/components/accounts/audit/list-view";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("auditLog.title");

export default createListPage({
  heading: { title: "auditLog.title", text: "auditLog.text" },
  requiredViewer: "admin",
  parsers: auditParsers,
  messages: ["auditLog", "savedViews"],
  renderContent: async ({ api, input }) => {
    const [chain, data] = await Promise.all([api.audit.chain(), api.audit.listEntries({ query: input })]);
    return (
      <>
        <ChainCard initial={chain} />
        <AuditTable firstPage={{ input, data }} />
      </>
    );
  },
});
