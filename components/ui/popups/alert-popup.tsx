"use client";

import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Button } from "../button";
import { Field } from "../field";
import { FormAlert } from "../form-alert";
import { isSameWord } from "../format";
import { Input } from "../input";
import { backdropStyle, popupStyle } from "./popup-style";
import type { AlertDialogProps, OpenerProps, PopupProps } from "./props";
import { usePopupFocus } from "./use-popup-focus";

export function AlertPopup(props: Omit<AlertDialogProps, keyof OpenerProps> & PopupProps) {
  const { title, description, children, typeToConfirm, tone = "danger" } = props;
  const t = useTranslations();
  const popup = useRef<HTMLDivElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const focusProps = usePopupFocus({
    ...{ open: props.open, popup, getFinalTarget: props.finalFocus },
    getInitialTarget: () => cancelButton.current,
  });
  const [isWorking, setIsWorking] = useState(false);
  const [typedText, setTypedText] = useState("");
  const [error, setError] = useState<string>();
  const [hasMismatch, setHasMismatch] = useState(false);

  function setOpen(open: boolean) {
    if (isWorking) return;
    if (!open) {
      setTypedText("");
      setError(undefined);
      setHasMismatch(false);
    }
    props.onOpenChange(open);
  }

  async function confirm() {
    if (typeToConfirm && !isSameWord(typedText, typeToConfirm)) {
      setHasMismatch(true);
      return;
    }
    setIsWorking(true);
    setError(undefined);
    try {
      const errorMessage = await props.onConfirm();
      setIsWorking(false);
      if (typeof errorMessage === "string") setError(errorMessage);
      else {
        setTypedText("");
        props.onOpenChange(false);
      }
    } catch {
      setIsWorking(false);
      setError(t("ui.error.unexpected"));
    }
  }

  return (
    <Base.Root open={props.open} onOpenChange={setOpen}>
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        <Base.Popup ref={popup} className={popupStyle({ size: "sm" })} {...focusProps}>
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
                error={hasMismatch ? t("ui.confirm.mismatch") : undefined}
              >
                <Input
                  value={typedText}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => {
                    setTypedText(event.target.value);
                    setHasMismatch(false);
                  }}
                />
              </Field>
            ) : null}
            {error ? <FormAlert live>{error}</FormAlert> : null}
          </div>
          <div className="flex flex-col-reverse gap-2 border-border border-t px-6 py-4 sm:flex-row sm:justify-end">
            <Base.Close
              render={<Button ref={cancelButton}>{props.cancelLabel ?? t("common.cancel")}</Button>}
            />
            <Button variant={tone} working={isWorking} onClick={confirm}>
              {props.confirmLabel}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
