"use client";

import { toNestErrors } from "@hookform/resolvers";
import { useTranslations } from "next-intl";
import { type BaseSyntheticEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  useForm,
} from "react-hook-form";
import type * as z from "zod";
import { type FormError, toFormError, useErrorText } from "@/components/api/form-error";
import { announce } from "@/components/ui/live-regions";
import { toast } from "@/components/ui/toast";
import type { MessageSource } from "@/server/core/issues";
import { dropDraft, readDraft, writeDraft } from "./draft";
import { getResultMessage } from "./use-action";
import { useEarlyInput } from "./use-early-input";
import { validateForm } from "./validate-form";

export interface FormOperation<Schema extends z.ZodType = z.ZodType> {
  body?: Schema;
  labels?: Record<string, string>;
}

/** Imports rules on the first focus: zod and schemas are a third of a page's scripts. Null: no fields. */
export type LoadOperation<Schema extends z.ZodType = z.ZodType> =
  | (() => Promise<FormOperation<Schema>>)
  | null;

type Values<Schema extends z.ZodType> = z.input<Schema> & FieldValues;

export interface OperationFormOptions<Schema extends z.ZodType, Result> {
  defaultValues: DefaultValues<Values<Schema>>;
  /** Sends the validated values (trimmed; empty ones are null). Throws a `FormError` or the API's error. */
  submit: (values: z.input<Schema>, request: { idempotencyKey: string }) => Promise<Result | undefined>;
  proofPrompt?: FormProof;
  /** False: shows no toast with the server's message. */
  showsSuccessToast?: boolean;
  /** Runs after a success, unless `submit` resolved to undefined (cancelled). */
  onSuccess?: (result: Result, values: z.input<Schema>) => unknown;
  /** Returns true if the page handles this error itself (402, `requires_upgrade`, …). */
  onError?: (error: FormError) => boolean | undefined;
  /** Stores typed values, except secrets, in this tab under this name. */
  draftName?: string;
}

export interface FormProof {
  /** Resolves to undefined if the user closes the dialog. */
  prove: <Result>(run: () => Promise<Result>) => Promise<Result | undefined>;
  proofDialog: ReactNode;
}

export interface FormProblem {
  text: string;
  requestId?: string;
  signedOut?: boolean;
  choices?: Array<{ label: string; run: () => void }>;
}

/** Form state for an `OperationForm`. Rules and messages come from `loadOperation`. */
export function useOperationForm<Schema extends z.ZodType, Result>(
  loadOperation: LoadOperation<Schema>,
  options: OperationFormOptions<Schema, Result>,
) {
  const t = useTranslations("ui");
  const allTexts = useTranslations();
  const getErrorText = useErrorText();
  const { defaultValues, draftName, proofPrompt, showsSuccessToast = true } = options;
  const fieldNames = useRef(new Set<string>());
  const idempotencyKey = useRef<string>(undefined);
  const [problem, setProblem] = useState<FormProblem>();
  const [blockedUntil, setBlockedUntil] = useState<number>();
  const [hasRestoredDraft, setHasRestoredDraft] = useState(false);

  const messages: MessageSource = {
    has: (key) => allTexts.has(key as never),
    text: (key, params) => allTexts(key as never, params as never),
  };
  const resolver: Resolver<Values<Schema>> = async (input, _context, settings) => {
    // If the rules fail to load, the server still validates.
    const operation = await loadOperation?.().catch(() => undefined);
    const { values, problems } = validateForm(operation?.body, input, messages, operation?.labels);
    if (Object.keys(problems).length === 0) return { values: values as Values<Schema>, errors: {} };
    return { values: {}, errors: toNestErrors(problems as unknown as FieldErrors<Values<Schema>>, settings) };
  };

  const form = useForm<Values<Schema>>({
    defaultValues,
    resolver,
    mode: "onTouched",
    reValidateMode: "onChange",
  });
  const { reset, subscribe } = form;

  const restoreTypedValues = useEarlyInput((name, value) => {
    if (fieldNames.current.has(name)) form.setValue(name as Path<Values<Schema>>, value as never);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is restored once, over the initial defaults
  useEffect(() => {
    if (!draftName) return;
    const restoreTimer = window.setTimeout(() => {
      const draftValues = readDraft(draftName);
      if (!draftValues) return;
      reset({ ...(defaultValues as Values<Schema>), ...draftValues }, { keepDefaultValues: true });
      restoreTypedValues();
      setHasRestoredDraft(true);
    });
    let saveTimer: number | undefined;
    const unsubscribe = subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        window.clearTimeout(saveTimer);
        saveTimer = window.setTimeout(() => writeDraft(draftName, values), 300);
      },
    });
    return () => {
      window.clearTimeout(restoreTimer);
      window.clearTimeout(saveTimer);
      unsubscribe();
    };
  }, [draftName, reset, subscribe]);

  const discardDraft = useCallback(() => {
    if (draftName) dropDraft(draftName);
    reset();
    setHasRestoredDraft(false);
  }, [draftName, reset]);

  function showError(error: FormError) {
    const formMessages: string[] = [];
    let fieldErrorCount = 0;
    for (const [path, [message]] of Object.entries(error.errors)) {
      if (!message) continue;
      if (!fieldNames.current.has(path)) formMessages.push(message);
      else
        form.setError(
          path as Path<Values<Schema>>,
          { type: "server", message },
          { shouldFocus: fieldErrorCount++ === 0 },
        );
    }
    if (fieldErrorCount > 0) announce(t("form.wrong", { count: fieldErrorCount }));
    if (error.status === 429 || error.retryAfter)
      setBlockedUntil(Date.now() + (error.retryAfter ?? 60) * 1000);
    if (fieldErrorCount > 0 && formMessages.length === 0) return;
    const text = formMessages.join(" ") || getErrorText(error);
    const requestId = error.status && error.status >= 500 ? error.requestId : undefined;
    setProblem({ text, requestId, signedOut: error.signedOut });
  }

  const handleSubmit = form.handleSubmit(
    async (values) => {
      if (blockedUntil && blockedUntil > Date.now()) return;
      setProblem(undefined);
      announce("");
      idempotencyKey.current ??= crypto.randomUUID();
      const request = { idempotencyKey: idempotencyKey.current };
      const run = () => options.submit(values as z.input<Schema>, request);
      let result: Result | undefined;
      try {
        result = await (proofPrompt ? proofPrompt.prove(run) : run());
      } catch (cause) {
        const error = toFormError(cause);
        if (!options.onError?.(error)) showError(error);
        return;
      }
      const isCancelled = proofPrompt !== undefined && result === undefined;
      if (isCancelled) return;
      idempotencyKey.current = undefined;
      if (draftName) dropDraft(draftName);
      setHasRestoredDraft(false);
      if (result === undefined) return;
      const text = showsSuccessToast && getResultMessage(result);
      if (text) toast.success(text);
      await options.onSuccess?.(result, values as z.input<Schema>);
    },
    (errors) => {
      setProblem(undefined);
      announce(t("form.wrong", { count: countErrors(errors) }));
    },
  );
  const isSubmitting = useRef(false);
  /** Ignores a second submit while one runs: Enter and a complete code do not wait for the busy button. */
  async function onSubmit(event?: BaseSyntheticEvent): Promise<void> {
    event?.preventDefault();
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    try {
      await handleSubmit(event);
    } finally {
      isSubmitting.current = false;
    }
  }

  return {
    ...form,
    onSubmit,
    preloadOperation: () => void loadOperation?.().catch(() => undefined),
    problem,
    setProblem,
    blockedUntil,
    unblock: useCallback(() => setBlockedUntil(undefined), []),
    proofDialog: proofPrompt?.proofDialog,
    hasDraft: draftName !== undefined,
    hasRestoredDraft,
    discardDraft,
    fieldNames: fieldNames.current,
  };
}

function countErrors(errors: object): number {
  return Object.values(errors).reduce<number>((sum, error) => {
    if (!error || typeof error !== "object") return sum;
    return sum + ("type" in error && "message" in error ? 1 : countErrors(error));
  }, 0);
}

// biome-ignore lint/suspicious/noExplicitAny: fields accept the form of any operation
export type AnyOperationForm = ReturnType<typeof useOperationForm<any, any>>;
