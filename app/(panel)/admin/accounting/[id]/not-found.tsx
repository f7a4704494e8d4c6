import { ReceiptText } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

export default async function InvoiceNotFound() {
  const t = await getTranslations("accounting");
  return (
    <EmptyState
      icon={<ReceiptText />}
      heading="h1"
      title={t("missing.title")}
      action={
        <LinkButton variant="primary" href="/admin/accounting">
          {t("details.back")}
        </LinkButton>
      }
    >
      {t("missing.text")}
    </EmptyState>
  );
}
