"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import type { DefaultValues, FieldValues, Path } from "react-hook-form";
import type * as z from "zod";
import type { FormError } from "@/components/api/form-error";
import { type LoadOperation, type OperationFormOptions, useOperationForm } from "./use-operation-form";

type Values<Schema extends z.ZodType> = z.input<Schema> & FieldValues;

export interface StoredFormOptions<Stored, Schema extends z.ZodType, Result>
  extends Omit<OperationFormOptions<Schema, Result>, "defaultValues" | "draftName" | "submit"> {
  /** Stored values under their API names; null if nothing is stored yet. */
  stored: Stored;
  toFormValues: (stored: Stored) => DefaultValues<Values<Schema>>;
  /** Sends the validated values; `expected` are the stored values they are based on. */
  submit: (values: z.input<Schema>, expected: Stored) => Promise<Result | undefined>;
  /** Runs on a conflict: the rest of the page is outdated, too. */
  onStale?: () => unknown;
}

/** Form over stored values. On a conflict (409) the user chooses between the newer values and their own. */
export function useStoredForm<Stored extends object | null, Schema extends z.ZodType, Result>(
  loadOperation: LoadOperation<Schema>,
  { stored, toFormValues, submit, onStale, onError, ...options }: StoredFormOptions<Stored, Schema, Result>,
) {
  const t = useTranslations("ui.form.stale");
  const expectedValues = useRef(stored);
  const form = useOperationForm<Schema, Result>(loadOperation, {
    ...options,
    defaultValues: toFormValues(stored),
    submit: (values) => submit(values, expectedValues.current),
    onError: (error) => {
      const conflict = findConflict<Stored>(error);
      if (!conflict) return onError?.(error);
      onStale?.();
      form.setProblem({
        text: error.message,
        choices: [
          { label: t("load"), run: () => loadNewer(conflict.current) },
          { label: t("keep"), run: () => keepTyped(conflict.current) },
        ],
      });
      return true;
    },
  });
  // Reading it subscribes to the dirty fields, which `keepDirtyValues` needs.
  void form.formState.dirtyFields;

  function replaceStoredValues(newerValues: Stored) {
    expectedValues.current = newerValues;
    form.reset(toFormValues(newerValues));
  }

  function loadNewer(newerValues: Stored) {
    focusFirstField();
    replaceStoredValues(newerValues);
    form.setProblem(undefined);
  }

  function keepTyped(newerValues: Stored) {
    focusFirstField();
    expectedValues.current = newerValues;
    if (newerValues !== null) form.reset(toFormValues(newerValues), { keepDirtyValues: true });
    void form.onSubmit();
  }

  /** The focused button disappears with the alert. Must run before `reset`, which clears the field names. */
  function focusFirstField() {
    const [firstField] = form.fieldNames;
    if (firstField) form.setFocus(firstField as Path<Values<Schema>>);
  }

  return { ...form, replaceStoredValues, getStoredValues: () => expectedValues.current };
}

function findConflict<Stored>({ status, body }: FormError): { current: Stored } | undefined {
  if (status !== 409 || typeof body !== "object" || body === null || !("current" in body)) return undefined;
  return body as { current: Stored };
}
