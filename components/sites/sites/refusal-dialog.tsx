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
  offer: ReactNode;
  /** Text and button label; by default those for a new site. */
  text?: string;
  action?: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Dialog for a 402 or 403 because nothing pays for the site. The form below keeps its input. */
export function RefusalDialog({ refused, offer, text, action, onClose, onConfirm }: RefusalDialogProps) {
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
      description={text ?? t("refusal.text")}
      footer={
        <>
          <DialogClose>
            <Button>{t(action ? "new.cancel" : "refusal.back")}</Button>
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
              {action ?? t("new.submit")}
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
