"use client";

import { useRef, useState } from "react";
import { type FormError, toFormError, useErrorText } from "@/components/api/form-error";
import { toast } from "@/components/ui/toast";

export interface ActionOptions<Args extends unknown[], Result> {
  /** Success toast. Default: the server's message; false: none. */
  successText?: false | ((result: Result, ...args: Args) => string);
  /** Handles the result, for example refetches. The action stays pending until it settles. */
  onSuccess?: (result: Result, ...args: Args) => unknown;
  /** Replaces the text of known errors. */
  explainError?: (cause: unknown) => string | undefined;
  onError?: (error: FormError) => unknown;
}

export interface Action<Args extends unknown[]> {
  isPending: boolean;
  /** Error text of the last run, for pages that show it inline. */
  problem: string | undefined;
  setProblem: (problem: string | undefined) => void;
  /** Runs the action and shows a problem in a toast; ignored while pending. For buttons. */
  run: (...args: Args) => Promise<void>;
  /** Runs the action and resolves to the problem, if any. For an `AlertDialog` or inline errors. */
  attempt: (...args: Args) => Promise<string | undefined>;
}

/** Runs one call at a time and toasts the result. `perform` resolves to undefined if the user cancels. */
export function useAction<Args extends unknown[], Result>(
  perform: (...args: Args) => Promise<Result | undefined>,
  { successText, onSuccess, explainError, onError }: ActionOptions<Args, Result> = {},
): Action<Args> {
  const getErrorText = useErrorText();
  const currentRun = useRef<Promise<string | undefined>>(undefined);
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function runAndToast(args: Args): Promise<string | undefined> {
    try {
      const result = await perform(...args);
      if (result === undefined) return;
      const text = successText ? successText(result, ...args) : (successText ?? getResultMessage(result));
      if (text) toast.success(text);
      await onSuccess?.(result, ...args);
    } catch (cause) {
      onError?.(toFormError(cause));
      return explainError?.(cause) ?? getErrorText(cause);
    }
  }

  async function startRun(args: Args): Promise<string | undefined> {
    setIsPending(true);
    setProblem(undefined);
    const failure = await runAndToast(args);
    setProblem(failure);
    setIsPending(false);
    currentRun.current = undefined;
    return failure;
  }

  const attempt = (...args: Args) => {
    currentRun.current ??= startRun(args);
    return currentRun.current;
  };
  const runAndShowProblem = async (...args: Args) => {
    if (currentRun.current) return;
    const failure = await attempt(...args);
    if (failure) toast.danger(failure);
  };
  return { isPending, problem, setProblem, run: runAndShowProblem, attempt };
}

export function getResultMessage(result: unknown): string | undefined {
  const { message } = Object(result) as { message?: unknown };
  return typeof message === "string" ? message : undefined;
}
