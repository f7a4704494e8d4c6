"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Dialog } from "@/components/ui/dialog";
import { useAskBeforeUnload } from "@/components/ui/unsaved";
import { CheckCode } from "./check-code";
import { RecoveryCodes } from "./recovery-codes";
import { ScanStep } from "./scan-step";
import { SmsStep } from "./sms-step";
import type { SetUp } from "./use-set-up";

/** Set-up in stages. Once recovery codes are shown, only the last stage closes the dialog. */
export function SetUpDialog({ setUp }: { setUp: SetUp }) {
  const t = useTranslations("security");
  const { open, stage, show, close, refresh } = setUp;
  const isLocked = open && stage !== undefined && stage.at !== "scan" && stage.at !== "text";

  useAskBeforeUnload(isLocked);

  function finishFactor(codes: readonly string[] | null) {
    if (codes) show({ at: "codes", codes });
    else close();
    void refresh();
  }

  const texts =
    stage?.at === "scan"
      ? { title: t("totp.setUpTitle"), text: t("totp.setUpText") }
      : stage?.at === "text"
        ? {
            title: t("sms.setUpTitle"),
            text: t.rich("sms.setUpText", { phone: () => <Ltr>{stage.phone}</Ltr> }),
          }
        : stage?.at === "check"
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
      {stage?.at === "scan" ? <ScanStep start={stage.start} onConfirmed={finishFactor} /> : null}
      {stage?.at === "text" ? <SmsStep onConfirmed={finishFactor} /> : null}
      {stage?.at === "codes" ? (
        <RecoveryCodes codes={stage.codes} onNext={() => show({ at: "check", codes: stage.codes })} />
      ) : null}
      {stage?.at === "check" ? (
        <CheckCode
          codes={stage.codes}
          onBack={() => show({ at: "codes", codes: stage.codes })}
          onDone={close}
        />
      ) : null}
    </Dialog>
  );
}
