"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Dialog } from "@/components/ui/dialog";
import { useAskBeforeUnload } from "@/components/ui/unsaved";
import { CheckRecoveryCode } from "./check-recovery-code";
import { RecoveryCodes } from "./recovery-codes";
import { ScanStep } from "./scan-step";
import { SmsStep } from "./sms-step";
import type { SetUpState } from "./use-set-up";

/** Set-up in stages. Once recovery codes are shown, only the last stage closes the dialog. */
export function SetUpDialog({ setUp }: { setUp: SetUpState }) {
  const t = useTranslations("security");
  const { open, stage, show, close, refetchFactors } = setUp;
  const isLocked = open && stage !== undefined && stage.kind !== "scan" && stage.kind !== "text";

  useAskBeforeUnload(isLocked);

  function finishFactor(codes: readonly string[] | null) {
    if (codes) show({ kind: "codes", codes });
    else close();
    void refetchFactors();
  }

  const texts =
    stage?.kind === "scan"
      ? { title: t("totp.setUpTitle"), text: t("totp.setUpText") }
      : stage?.kind === "text"
        ? {
            title: t("sms.setUpTitle"),
            text: t.rich("sms.setUpText", { phone: () => <Ltr>{stage.phone}</Ltr> }),
          }
        : stage?.kind === "check"
          ? { title: t("check.title"), text: t("check.text") }
          : { title: t("codes.title"), text: t("codes.text") };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      dismissible={!isLocked}
      title={texts.title}
      description={texts.text}
    >
      {stage?.kind === "scan" ? <ScanStep totpStart={stage.totpStart} onConfirmed={finishFactor} /> : null}
      {stage?.kind === "text" ? <SmsStep onConfirmed={finishFactor} /> : null}
      {stage?.kind === "codes" ? (
        <RecoveryCodes codes={stage.codes} onNext={() => show({ kind: "check", codes: stage.codes })} />
      ) : null}
      {stage?.kind === "check" ? (
        <CheckRecoveryCode
          codes={stage.codes}
          onBack={() => show({ kind: "codes", codes: stage.codes })}
          onDone={close}
        />
      ) : null}
    </Dialog>
  );
}
