"use client";

import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "../button";
import { Field } from "../field";
import { FormAlert } from "../form-alert";
import { isSameWord } from "../format";
import { Input } from "../input";
import { backdropStyle, popupStyle } from "./popup";
import type { AlertDialogProps, OpenerProps, PopupProps } from "./props";
import { usePopupFocus } from "./use-popup-focus";

export function AlertPopup(props: Omit<AlertDialogProps, keyof OpenerProps> & PopupProps) {
  const { title, description, children, typeToConfirm, tone = "danger" } = props;
  const t = useTranslations();
  const popup = useRef<HTMLDivElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const focus = usePopupFocus({
    ...{ open: props.open, popup, final: props.finalFocus },
    first: () => cancel.current,
  });
  const [working, setWorking] = useState(false);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string>();
  const [mismatch, setMismatch] = useState(false);

  function setOpen(open: boolean) {
    if (working) return;
    if (!open) {
      setTyped("");
      setError(undefined);
      setMismatch(false);
    }
    props.onOpenChange(open);
  }

  async function confirm() {
    if (typeToConfirm && !isSameWord(typed, typeToConfirm)) {
      setMismatch(true);
      return;
    }
    setWorking(true);
    setError(undefined);
    try {
      const problem = await props.onConfirm();
      setWorking(false);
      if (typeof problem === "string") setError(problem);
      else {
        setTyped("");
        props.onOpenChange(false);
      }
    } catch {
      setWorking(false);
      setError(t("ui.error.unexpected"));
    }
  }

  return (
    <Base.Root open={props.open} onOpenChange={setOpen}>
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        <Base.Popup ref={popup} className={popupStyle({ size: "sm" })} {...focus}>
          <div className="flex min-h-0 flex-col gap-4 overflow-y-auto p-6">
            <div>
              <Base.Title className="font-semibold text-lg">{title}</Base.Title>
              {description ? (
                <Base.Description className="mt-1 text-fg-muted text-sm">{description}</Base.Description>
              ) : null}
            </div>
            {children}
            {typeToConfirm ? (
              <Field
                label={t.rich("ui.confirm.type", {
                  word: typeToConfirm,
                  b: (word) => <bdi className="font-semibold">{word}</bdi>,
                })}
                error={mismatch ? t("ui.confirm.mismatch") : undefined}
              >
                <Input
                  value={typed}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => {
                    setTyped(event.target.value);
                    setMismatch(false);
                  }}
                />
              </Field>
            ) : null}
            {error ? <FormAlert live>{error}</FormAlert> : null}
          </div>
          <div className="flex flex-col-reverse gap-2 border-border border-t px-6 py-4 sm:flex-row sm:justify-end">
            <Base.Close render={<Button ref={cancel}>{props.cancelLabel ?? t("common.cancel")}</Button>} />
            <Button variant={tone} working={working} onClick={confirm}>
              {props.confirmLabel}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
