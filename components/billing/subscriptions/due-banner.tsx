import { useTranslations } from "next-intl";
import { AppLink } from "@/components/ui/app-link";
import { Banner } from "@/components/ui/banner";
import { DueButton } from "./due-button";
import { DuePayment, DueText } from "./due-text";
import type { DueItem } from "./types";

/** Most urgent due payment, shown above every page. An open order is information, not a warning. */
export function DuePaymentBanner({ due, count }: { due: DueItem; count: number }) {
  const t = useTranslations("dashboard.due");
  const isOpenOrder = due.kind === "order" && !due.overdue;
  return (
    <Banner
      tone={due.overdue ? "danger" : isOpenOrder ? "info" : "warning"}
      dismissKey={isOpenOrder ? `order ${due.reference}` : undefined}
      action={<DueButton due={due} />}
    >
      <span>
        <DueText due={due} />
      </span>{" "}
      <span>
        <DuePayment due={due} />
      </span>
      {count > 1 ? (
        <span>
          {" · "}
          <AppLink
            href="/dashboard"
            className="whitespace-nowrap text-primary-text underline decoration-primary-text/35 underline-offset-4"
          >
            {t("more", { count: count - 1 })}
          </AppLink>
        </span>
      ) : null}
    </Banner>
  );
}
