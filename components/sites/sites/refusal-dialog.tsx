"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { BillingForecast } from "./billing-forecast";
import type { SiteForecast } from "./types";

export interface RefusalDialogProps {
  /** Forecast of the refused call; undefined closes the dialog. */
  refused: SiteForecast | undefined;
  /** Plans to choose from, shown when a larger plan is needed. */
  offer: ReactNode;
  text?: string;
  /** Label of the confirm button; with it, the other button is “Cancel”. */
  confirmLabel?: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Dialog after a 402 or 403 because nothing pays for the site. The form behind it keeps its input. */
export function RefusalDialog({
  refused,
  offer,
  text,
  confirmLabel,
  onClose,
  onConfirm,
}: RefusalDialogProps) {
  const t = useTranslations("sites");
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [isConfirmationMissing, setIsConfirmationMissing] = useState(false);
  const needsUpgrade = refused?.mode === "upgrade";

  function close() {
    setIsConfirmed(false);
    setIsConfirmationMissing(false);
    onClose();
  }

  return (
    <Dialog
      open={refused !== undefined}
      onOpenChange={(open) => !open && close()}
      size={needsUpgrade ? "lg" : "md"}
      title={t(needsUpgrade ? "refusal.title" : "refusal.licence")}
      description={text ?? t("refusal.text")}
      footer={
        <>
          <DialogClose>
            <Button>{t(confirmLabel ? "new.cancel" : "refusal.back")}</Button>
          </DialogClose>
          {needsUpgrade ? null : (
            <Button
              variant="primary"
              onClick={() => {
                if (!isConfirmed) return setIsConfirmationMissing(true);
                setIsConfirmed(false);
                onConfirm();
              }}
            >
              {confirmLabel ?? t("new.submit")}
            </Button>
          )}
        </>
      }
    >
      {refused === undefined ? null : (
        <BillingForecast
          forecast={refused}
          confirmed={isConfirmed}
          onConfirm={(next) => {
            setIsConfirmed(next);
            setIsConfirmationMissing(false);
          }}
          missing={isConfirmationMissing}
          offer={offer}
        />
      )}
    </Dialog>
  );
}
