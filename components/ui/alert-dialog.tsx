"use client";

import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { useTranslations } from "next-intl";
import { type ReactElement, type ReactNode, useRef, useState } from "react";
import { Button } from "./button";
import { backdropStyle, popupStyle } from "./dialog";
import { Field } from "./field";
import { FormAlert } from "./form-alert";
import { sameWord } from "./format";
import { Input } from "./input";

export interface AlertDialogProps {
  title: ReactNode;
  description?: ReactNode;
  /** The consequences, as the server lists them. */
  children?: ReactNode;
  /** Verb and object: "Delete site". */
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  /** Runs while the button works; a string it returns is shown as an error and keeps the dialog open. */
  // biome-ignore lint/suspicious/noConfusingVoidType: callers return nothing on success
  onConfirm: () => Promise<string | void> | string | void;
  tone?: "danger" | "primary";
  /** A word or number that must be typed first, for actions that cannot be undone. */
  typeToConfirm?: string;
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** Asks before a serious action. Cancel has the focus; only a button closes it. */
export function AlertDialog(props: AlertDialogProps) {
  const { title, description, children, typeToConfirm, trigger, tone = "danger" } = props;
  const t = useTranslations();
  const cancel = useRef<HTMLButtonElement>(null);
  const [own, setOwn] = useState(false);
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
    setOwn(open);
    props.onOpenChange?.(open);
  }

  async function confirm() {
    if (typeToConfirm && !sameWord(typed, typeToConfirm)) {
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
        setOwn(false);
        setTyped("");
        props.onOpenChange?.(false);
      }
    } catch {
      setWorking(false);
      setError(t("ui.error.unexpected"));
    }
  }

  return (
    <Base.Root open={props.open ?? own} onOpenChange={setOpen}>
      {trigger ? <Base.Trigger render={trigger} /> : null}
      <Base.Portal>
        <Base.Backdrop className={backdropStyle} />
        <Base.Popup className={popupStyle({ size: "sm" })} initialFocus={cancel}>
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
