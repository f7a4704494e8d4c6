import { mailParsers } from "@/components/platform/mail/list-view";
import { MailsTable } from "@/components/platform/mail/mails-table";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("mailLog.title");

export default createListPage({
  heading: { title: "mailLog.title", text: "mailLog.text" },
  requiredViewer: "admin",
  parsers: mailParsers,
  messages: ["mailLog", "savedViews"],
  renderContent: async ({ api, input }) => (
    <MailsTable firstPage={{ input, data: await api.mail.list({ query: input }) }} />
  ),
});
