"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { BillingForecast } from "./billing-forecast";
import type { SiteForecast } from "./types";

export interface RefusalDialogProps {
  /** Forecast of the refused call; undefined closes the dialog. */
  refusedForecast: SiteForecast | undefined;
  /** Plans to choose from, shown when a larger plan is needed. */
  planOffer: ReactNode;
  descriptionText?: string;
  /** Label of the confirm button; with it, the other button is “Cancel”. */
  confirmLabel?: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Dialog after a 402 or 403 because nothing pays for the site. The form behind it keeps its input. */
export function RefusalDialog({
  refusedForecast,
  planOffer,
  descriptionText,
  confirmLabel,
  onClose,
  onConfirm,
}: RefusalDialogProps) {
  const t = useTranslations("sites");
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [isConfirmationMissing, setIsConfirmationMissing] = useState(false);
  const needsUpgrade = refusedForecast?.mode === "upgrade";

  function close() {
    setIsConfirmed(false);
    setIsConfirmationMissing(false);
    onClose();
  }

  return (
    <Dialog
      open={refusedForecast !== undefined}
      onOpenChange={(open) => !open && close()}
      size={needsUpgrade ? "lg" : "md"}
      title={t(needsUpgrade ? "refusal.title" : "refusal.licence")}
      description={descriptionText ?? t("refusal.text")}
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
      {refusedForecast === undefined ? null : (
        <BillingForecast
          forecast={refusedForecast}
          isConfirmed={isConfirmed}
          onConfirmedChange={(nextConfirmed) => {
            setIsConfirmed(nextConfirmed);
            setIsConfirmationMissing(false);
          }}
          isConfirmationMissing={isConfirmationMissing}
          planOffer={planOffer}
        />
      )}
    </Dialog>
  );
}
