"use client";

import { Check, CircleDashed, CircleDot, CircleMinus, CircleX } from "lucide-react";
import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import { STEP_STATES, type Step } from "@/server/domains/billing/accounting/policy";
import type { InvoiceDetails } from "./types";

type StepState = "done" | "now" | "problem" | "later" | "never";

const STEP_ICONS = {
  done: Check,
  now: CircleDot,
  problem: CircleX,
  later: CircleDashed,
  never: CircleMinus,
} as const;
const STEP_COLOUR_CLASSES = {
  done: "text-success-text",
  now: "text-info-text",
  problem: "text-danger-text",
  later: "text-fg-muted",
  never: "text-fg-muted",
} as const;

export function InvoiceTimeline({ invoice }: { invoice: InvoiceDetails }) {
  const t = useTranslations("accounting.timeline");
  return (
    <Card title={t("title")}>
      {invoice.state === "skipped" ? (
        <p className="mb-4 text-sm">
          {t.rich("skipped", {
            name: invoice.skipped_by ?? t("someone"),
            reason: invoice.skip_reason ?? "",
            time: () => <Time value={invoice.skipped_at!} />,
          })}
        </p>
      ) : null}
      {invoice.state === "cancelled" ? <p className="mb-4 text-sm">{t("cancelled")}</p> : null}
      <ol className="flex flex-col">
        {getSteps(invoice).map((step) => (
          <StepLine key={step} step={step} stepState={getStepState(invoice, step)} invoice={invoice} />
        ))}
      </ol>
    </Card>
  );
}

function StepLine({
  step,
  stepState,
  invoice,
}: {
  step: Step | "cancelling";
  stepState: StepState;
  invoice: InvoiceDetails;
}) {
  const t = useTranslations("accounting.timeline");
  const Icon = STEP_ICONS[stepState];
  const lastCall = invoice.calls.findLast((call) => call.step === step && call.outcome === "ok");
  const remoteId = getRemoteId(invoice, step);
  return (
    <li
      aria-current={stepState === "now" || stepState === "problem" ? "step" : undefined}
      className="flex gap-3 border-border border-s ps-4 pb-4 last:pb-0"
    >
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${STEP_COLOUR_CLASSES[stepState]}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-1 text-sm">
        <p className="flex flex-wrap gap-x-3">
          <span className="font-medium">{t(`steps.${step}`)}</span>
          <span className={STEP_COLOUR_CLASSES[stepState]}>{t(`is.${stepState}`)}</span>
        </p>
        {remoteId || (stepState === "done" && lastCall) ? (
          <p className="wrap-anywhere flex flex-wrap gap-x-3 text-fg-muted">
            {remoteId ? <span>{t("remote", { id: remoteId })}</span> : null}
            {lastCall ? <Time value={lastCall.at} /> : null}
          </p>
        ) : null}
        {stepState === "problem" || stepState === "now" ? <StepProblem invoice={invoice} /> : null}
      </div>
    </li>
  );
}

function StepProblem({ invoice }: { invoice: InvoiceDetails }) {
  const t = useTranslations("accounting");
  const fieldTexts = useTranslations("billing.documents.missing");
  const format = useFormat();
  const { problem, problem_text, missing, attempts, next_at } = invoice;
  return (
    <>
      {problem ? <p className="max-w-[70ch] text-pretty">{t(`problems.${problem}`)}</p> : null}
      {missing.length > 0 ? (
        <p>
          {t("timeline.missing", {
            fields: format.list(missing.map((field) => fieldTexts(field as "title"))),
          })}
        </p>
      ) : null}
      {problem_text ? (
        <p className="wrap-anywhere text-fg-muted">
          {t.rich("timeline.said", { text: () => <bdi dir="auto">{problem_text}</bdi> })}
        </p>
      ) : null}
      {problem && attempts > 0 ? (
        <p className="text-fg-muted">{t("timeline.attempts", { count: attempts })}</p>
      ) : null}
      {next_at && invoice.state !== "failed" ? (
        <p className="text-fg-muted">{t.rich("timeline.next", { time: () => <Time value={next_at} /> })}</p>
      ) : null}
    </>
  );
}

const isCancelling = ({ state, step }: InvoiceDetails) => state === "cancelling" || step === "cancelling";

function getSteps(invoice: InvoiceDetails): Array<Step | "cancelling"> {
  const hasCancelStep =
    isCancelling(invoice) || (invoice.state === "cancelled" && invoice.remote.invoice !== null);
  return hasCancelStep ? [...STEP_STATES, "cancelling"] : [...STEP_STATES];
}

/** In skipped and cancelled invoices, steps with a remote record are done; the others were never reached. */
function getStepState(invoice: InvoiceDetails, step: Step | "cancelling"): StepState {
  const { state } = invoice;
  if (state === "done") return "done";
  if (state === "cancelled" || state === "skipped" || isCancelling(invoice)) {
    if (step === "cancelling") return state === "cancelled" ? "done" : state === "failed" ? "problem" : "now";
    return getRemoteId(invoice, step) ? "done" : "never";
  }
  const currentStep = (invoice.step ?? state) as Step;
  if (step === currentStep) return state === "failed" || state === "needs_data" ? "problem" : "now";
  return STEP_STATES.indexOf(step as Step) < STEP_STATES.indexOf(currentStep) ? "done" : "later";
}

function getRemoteId({ remote, has_pdf }: InvoiceDetails, step: Step | "cancelling"): string | null {
  if (step === "pdf") return has_pdf ? remote.document : null;
  if (step === "contact" || step === "invoice" || step === "payment") return remote[step];
  return step === "edocument" || step === "polling" ? remote.document : null;
}

export function CallsCard({ calls }: { calls: InvoiceDetails["calls"] }) {
  const t = useTranslations("accounting");
  return (
    <Card title={t("calls.title")} description={t("calls.text")}>
      {calls.length === 0 ? (
        <p className="text-fg-muted text-sm">{t("calls.none")}</p>
      ) : (
        <ol className="flex flex-col gap-2 text-sm">
          {calls.map(({ id, call: endpoint, status, outcome, detail, ms, at }) => (
            <li key={id} className="flex flex-wrap gap-x-3 gap-y-1">
              <Time value={at} />
              <span className="wrap-anywhere">
                <Ltr mono>{endpoint}</Ltr>
              </span>
              <span className={outcome === "ok" ? "text-fg-muted" : "text-danger-text"}>
                {status ? <Ltr mono>{status}</Ltr> : t("calls.noStatus")}
              </span>
              <span className="text-fg-muted">{t("calls.ms", { ms })}</span>
              {detail ? (
                <bdi dir="auto" className="wrap-anywhere w-full text-fg-muted">
                  {detail}
                </bdi>
              ) : null}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
