"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { BillingForecast } from "./billing-forecast";
import type { SiteForecast } from "./types";

export interface RefusalDialogProps {
  /** The forecast of the refusal; undefined closes the dialog. */
  refused: SiteForecast | undefined;
  offer: ReactNode;
  onClose: () => void;
  /** The person confirmed the annual licence. */
  onConfirm: () => void;
}

/** The slots ran out while the form was being filled in: shows the forecast over the form, which keeps its input. */
export function RefusalDialog({ refused, offer, onClose, onConfirm }: RefusalDialogProps) {
  const t = useTranslations("sites");
  const [confirmed, setConfirmed] = useState(false);
  const [missing, setMissing] = useState(false);
  const upgrade = refused?.mode === "upgrade";

  function close() {
    setConfirmed(false);
    setMissing(false);
    onClose();
  }

  return (
    <Dialog
      open={refused !== undefined}
      onOpenChange={(open) => !open && close()}
      size={upgrade ? "lg" : "md"}
      title={t(upgrade ? "refusal.title" : "refusal.licence")}
      description={t("refusal.text")}
      footer={
        <>
          <DialogClose>
            <Button>{t("refusal.back")}</Button>
          </DialogClose>
          {upgrade ? null : (
            <Button
              variant="primary"
              onClick={() => {
                if (!confirmed) return setMissing(true);
                setConfirmed(false);
                onConfirm();
              }}
            >
              {t("new.submit")}
            </Button>
          )}
        </>
      }
    >
      {refused === undefined ? null : (
        <BillingForecast
          forecast={refused}
          confirmed={confirmed}
          onConfirm={(next) => {
            setConfirmed(next);
            setMissing(false);
          }}
          missing={missing}
          offer={offer}
        />
      )}
    </Dialog>
  );
}
