import { mailParsers } from "@/components/platform/mail/list-view";
import { MailsTable } from "@/components/platform/mail/mails-table";
import { metadataWithTitle } from "../../../page-title";
import { listPage } from "../../list-page";

export const generateMetadata = metadataWithTitle("mailLog.title");

export default listPage({
  heading: { title: "mailLog.title", text: "mailLog.text" },
  requiredViewer: "admin",
  parsers: mailParsers,
  messages: ["mailLog", "savedViews"],
  content: async ({ api, input }) => (
    <MailsTable firstPage={{ input, data: await api.mail.list({ query: input }) }} />
  ),
});
