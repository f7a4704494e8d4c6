"use client";

import { Download, Play } from "lucide-react";
import type { Route } from "next";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Drawer } from "@/components/ui/drawer";
import { LinkButton } from "@/components/ui/link-button";
import { PROCESSING_STATES } from "@/server/domains/billing/accounting/policy";
import { InvoiceFacts, RecipientCard } from "./facts";
import { Calls, Timeline } from "./timeline";
import type { InvoiceDetails } from "./types";

const DataForm = dynamic(() => import("./invoice-forms").then((file) => file.DataForm), { ssr: false });
const SkipForm = dynamic(() => import("./invoice-forms").then((file) => file.SkipForm), { ssr: false });
const LiftForm = dynamic(() => import("./invoice-forms").then((file) => file.UnskipForm), { ssr: false });

const OPEN_STATES = new Set<string>(PROCESSING_STATES);
/** Polling interval while a job processes the invoice, in milliseconds. */
const POLL_INTERVAL = 3000;

export function InvoiceView({ first }: { first: InvoiceDetails }) {
  const { data } = api.accounting.get.useQuery(
    { params: { id: String(first.id) } },
    {
      initialData: { success: true as const, document: first, data: first },
      refetchInterval: ({ state }) => {
        const current = state.data?.document ?? first;
        return OPEN_STATES.has(current.state) || current.is_busy ? POLL_INTERVAL : false;
      },
    },
  );
  const invoice = data.document;
  return (
    <div className="flex flex-col gap-6">
      <Actions invoice={invoice} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Timeline invoice={invoice} />
        <div className="flex flex-col gap-6">
          <InvoiceFacts invoice={invoice} />
          <RecipientCard invoice={invoice} />
        </div>
      </div>
      <Calls calls={invoice.calls} />
    </div>
  );
}

function Actions({ invoice }: { invoice: InvoiceDetails }) {
  const t = useTranslations("accounting.actions");
  const utils = api.useUtils();
  const refresh = () => utils.accounting.invalidate();
  const resume = useAction(() => call.accounting.resume.mutate({ params: { id: String(invoice.id) } }), {
    onSuccess: refresh,
  });
  const { can, has_pdf, is_busy } = invoice;
  const [open, setOpen] = useState<keyof typeof can | null>(null);
  // An open form stays while a job changes the invoice, so that typed text is not lost.
  const offers = (action: keyof typeof can) => can[action] || open === action;
  const ask = (action: keyof typeof can) => ({
    open: open === action,
    onOpenChange: (opens: boolean) => setOpen(opens ? action : null),
  });
  if (!open && !has_pdf && !is_busy && !Object.values(can).some(Boolean)) return null;
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
            working={resume.working}
            onClick={() => void resume.press()}
          >
            {t("resume")}
          </Button>
        ) : null}
        {offers("change") ? (
          <Ask label={t("change")} {...ask("change")}>
            {(done) => <DataForm invoice={invoice} onDone={done} />}
          </Ask>
        ) : null}
        {offers("skip") ? (
          <Ask label={t(invoice.step === "cancelling" ? "close" : "skip")} {...ask("skip")}>
            {(done) => <SkipForm invoice={invoice} onDone={done} />}
          </Ask>
        ) : null}
        {offers("lift") ? (
          <Ask label={t("lift")} {...ask("lift")}>
            {(done) => <LiftForm invoice={invoice} onDone={done} />}
          </Ask>
        ) : null}
      </div>
    </Card>
  );
}

interface AskProps {
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: (done: () => void) => React.ReactNode;
}

/** Button that opens a form in a drawer and refetches the invoice afterwards. */
function Ask({ label, open, onOpenChange, children }: AskProps) {
  const utils = api.useUtils();
  const done = () => {
    onOpenChange(false);
    void utils.accounting.invalidate();
  };
  return (
    <Drawer open={open} onOpenChange={onOpenChange} trigger={<Button>{label}</Button>} title={label}>
      {children(done)}
    </Drawer>
  );
}
