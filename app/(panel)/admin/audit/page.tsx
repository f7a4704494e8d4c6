import { AuditTable } from "@/components/platform/audit-log/audit-table";
import { ChainCard } from "@/components/platform/audit-log/chain-card";
import { auditParsers } from "@/components/platform/audit-log/list-view";
import { pageTitle } from "../../../page-title";
import { listPage } from "../../list-page";

export const generateMetadata = pageTitle("auditLog.title");

/** For administrators: the audit log. */
export default listPage({
  heading: { title: "auditLog.title", text: "auditLog.text" },
  only: "admin",
  parsers: auditParsers,
  messages: ["auditLog", "savedViews"],
  content: async ({ api, input }) => {
    const [chain, data] = await Promise.all([
      api.auditLog.chain(),
      api.auditLog.listEntries({ query: input }),
    ]);
    return (
      <>
        <ChainCard initial={chain} />
        <AuditTable first={{ input, data }} />
      </>
    );
  },
});
