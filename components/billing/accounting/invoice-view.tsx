"use client";

import { Download, Play } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Drawer } from "@/components/ui/drawer";
import { lazyPart } from "@/components/ui/lazy-part";
import { LinkButton } from "@/components/ui/link-button";
import { PROCESSING_STATES } from "@/server/domains/billing/accounting/policy";
import { InvoiceFacts, RecipientCard } from "./invoice-facts";
import { CallsCard, InvoiceTimeline } from "./timeline";
import type { InvoiceDetails } from "./types";

const InvoiceDataForm = lazyPart(() => import("./invoice-forms").then((file) => file.InvoiceDataForm));
const SkipForm = lazyPart(() => import("./invoice-forms").then((file) => file.SkipForm));
const UnskipForm = lazyPart(() => import("./invoice-forms").then((file) => file.UnskipForm));

const OPEN_STATES = new Set<string>(PROCESSING_STATES);
const POLL_INTERVAL_MS = 3000;

export function InvoiceView({ initial }: { initial: InvoiceDetails }) {
  const { data } = api.accounting.get.useQuery(
    { params: { id: String(initial.id) } },
    {
      initialData: { success: true as const, document: initial, data: initial },
      refetchInterval: ({ state }) => {
        const currentInvoice = state.data?.document ?? initial;
        return OPEN_STATES.has(currentInvoice.state) || currentInvoice.is_busy ? POLL_INTERVAL_MS : false;
      },
    },
  );
  const invoice = data.document;
  return (
    <div className="flex flex-col gap-6">
      <InvoiceActions invoice={invoice} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <InvoiceTimeline invoice={invoice} />
        <div className="flex flex-col gap-6">
          <InvoiceFacts invoice={invoice} />
          <RecipientCard invoice={invoice} />
        </div>
      </div>
      <CallsCard calls={invoice.calls} />
    </div>
  );
}

function InvoiceActions({ invoice }: { invoice: InvoiceDetails }) {
  const t = useTranslations("accounting.actions");
  const utils = api.useUtils();
  const refresh = () => utils.accounting.invalidate();
  const resume = useAction(() => call.accounting.resume.mutate({ params: { id: String(invoice.id) } }), {
    onSuccess: refresh,
  });
  const { can, has_pdf, is_busy } = invoice;
  const [openAction, setOpenAction] = useState<keyof typeof can | null>(null);
  // An open form stays while a job changes the invoice, so that typed text is not lost.
  const isOffered = (action: keyof typeof can) => can[action] || openAction === action;
  const getDrawerProps = (action: keyof typeof can) => ({
    open: openAction === action,
    onOpenChange: (isOpening: boolean) => setOpenAction(isOpening ? action : null),
  });
  if (!openAction && !has_pdf && !is_busy && !Object.values(can).some(Boolean)) return null;
  return (
    <Card title={t("title")} description={is_busy ? t("busy") : undefined}>
      <div className="flex flex-wrap gap-2">
        {has_pdf ? (
          <LinkButton
            icon={<Download />}
            href={`/api/admin/accounting/${invoice.id}/pdf` as Route}
            prefetch={false}
            download
          >
            {t("download")}
          </LinkButton>
        ) : null}
        {can.resume ? (
          <Button
            variant="primary"
            icon={<Play className="mirror" />}
            working={resume.isPending}
            onClick={() => void resume.run()}
          >
            {t("resume")}
          </Button>
        ) : null}
        {isOffered("change") ? (
          <FormDrawer label={t("change")} {...getDrawerProps("change")}>
            {(finish) => <InvoiceDataForm invoice={invoice} onDone={finish} />}
          </FormDrawer>
        ) : null}
        {isOffered("skip") ? (
          <FormDrawer label={t(invoice.step === "cancelling" ? "close" : "skip")} {...getDrawerProps("skip")}>
            {(finish) => <SkipForm invoice={invoice} onDone={finish} />}
          </FormDrawer>
        ) : null}
        {isOffered("lift") ? (
          <FormDrawer label={t("lift")} {...getDrawerProps("lift")}>
            {(finish) => <UnskipForm invoice={invoice} onDone={finish} />}
          </FormDrawer>
        ) : null}
      </div>
    </Card>
  );
}

interface FormDrawerProps {
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: (finish: () => void) => React.ReactNode;
}

function FormDrawer({ label, open, onOpenChange, children }: FormDrawerProps) {
  const utils = api.useUtils();
  const finish = () => {
    onOpenChange(false);
    void utils.accounting.invalidate();
  };
  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      trigger={<Button>{label}</Button>}
      title={label}
      preload={InvoiceDataForm.preload}
    >
      {children(finish)}
    </Drawer>
  );
}
