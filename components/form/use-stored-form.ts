"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import type { DefaultValues, FieldValues, Path } from "react-hook-form";
import type * as z from "zod";
import type { FormError } from "@/components/api/form-error";
import { type LoadOperation, type OperationFormOptions, useOperationForm } from "./use-operation-form";

type Values<Schema extends z.ZodType> = z.input<Schema> & FieldValues;

export interface StoredFormOptions<Stored, Schema extends z.ZodType, Result>
  extends Omit<OperationFormOptions<Schema, Result>, "defaultValues" | "draft" | "submit"> {
  /** What the form begins with, under the API's names; null when nothing is stored yet. */
  stored: Stored;
  valuesOf: (stored: Stored) => DefaultValues<Values<Schema>>;
  /** Sends the checked values, and what they were made from as `expected`. */
  submit: (values: z.input<Schema>, expected: Stored) => Promise<Result | undefined>;
  /** Something else was stored meanwhile: what the page shows besides the form is old, too. */
  onStale?: () => unknown;
}

/**
 * A form over stored values that another page may change while it is open. When that has happened (`stale`), nothing is
 * saved and what was typed stays; the person chooses between the newer values and their own.
 */
export function useStoredForm<Stored extends object | null, Schema extends z.ZodType, Result>(
  operation: LoadOperation<Schema>,
  { stored, valuesOf, submit, onStale, onError, ...options }: StoredFormOptions<Stored, Schema, Result>,
) {
  const t = useTranslations("ui.form.stale");
  const expected = useRef(stored);
  const form = useOperationForm<Schema, Result>(operation, {
    ...options,
    defaultValues: valuesOf(stored),
    submit: (values) => submit(values, expected.current),
    onError: (error) => {
      const found = newerValues<Stored>(error);
      if (!found) return onError?.(error);
      onStale?.();
      form.setProblem({
        text: error.message,
        choices: [
          { label: t("load"), run: () => load(found.current) },
          { label: t("keep"), run: () => keep(found.current) },
        ],
      });
      return true;
    },
  });
  // Read here, so that the form keeps count of what was typed where.
  void form.formState.dirtyFields;

  /** Begins again with these values. */
  function begin(newer: Stored) {
    expected.current = newer;
    form.reset(valuesOf(newer));
  }

  function load(newer: Stored) {
    focusFirst();
    begin(newer);
    form.setProblem(undefined);
  }

  /** What was not typed here is not the person's own: it follows the newer values. */
  function keep(newer: Stored) {
    focusFirst();
    expected.current = newer;
    if (newer !== null) form.reset(valuesOf(newer), { keepDirtyValues: true });
    void form.onSubmit();
  }

  /** The alert goes, with the button that had the focus. Before the form begins again: it forgets its fields then. */
  function focusFirst() {
    const [first] = form.names;
    if (first) form.setFocus(first as Path<Values<Schema>>);
  }

  return { ...form, begin };
}

function newerValues<Stored>({ status, body }: FormError): { current: Stored } | undefined {
  if (status !== 409 || typeof body !== "object" || body === null || !("current" in body)) return undefined;
  return body as { current: Stored };
}
