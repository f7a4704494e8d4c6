"use client";

import { useRef, useState } from "react";
import { type FormError, toFormError, useErrorText } from "@/components/api/form-error";
import { toast } from "@/components/ui/toast";

export interface ActionOptions<Args extends unknown[], Result> {
  /** Success toast. Default: the server's message; false: none. */
  success?: false | ((result: Result, ...args: Args) => string);
  /** Handles the result, for example refetches. The button stays in its working state until it settles. */
  onSuccess?: (result: Result, ...args: Args) => unknown;
  explain?: (cause: unknown) => string | undefined;
  onError?: (error: FormError) => unknown;
}

export interface Action<Args extends unknown[]> {
  working: boolean;
  /** Error text of the last run, for pages that show it inline. */
  problem: string | undefined;
  setProblem: (problem: string | undefined) => void;
  /** For buttons: shows problems in a toast. */
  press: (...args: Args) => Promise<void>;
  /** For an `AlertDialog` or inline errors: resolves to the problem, if any. */
  attempt: (...args: Args) => Promise<string | undefined>;
}

/** Runs one call at a time and toasts the result. When `run` resolves to undefined, the user has cancelled. */
export function useAction<Args extends unknown[], Result>(
  run: (...args: Args) => Promise<Result | undefined>,
  { success, onSuccess, explain, onError }: ActionOptions<Args, Result> = {},
): Action<Args> {
  const errorText = useErrorText();
  const running = useRef<Promise<string | undefined>>(undefined);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function perform(args: Args): Promise<string | undefined> {
    try {
      const result = await run(...args);
      if (result === undefined) return;
      const text = success ? success(result, ...args) : (success ?? messageOf(result));
      if (text) toast.success(text);
      await onSuccess?.(result, ...args);
    } catch (cause) {
      onError?.(toFormError(cause));
      return explain?.(cause) ?? errorText(cause);
    }
  }

  async function start(args: Args): Promise<string | undefined> {
    setWorking(true);
    setProblem(undefined);
    const failure = await perform(args);
    setProblem(failure);
    setWorking(false);
    running.current = undefined;
    return failure;
  }

  // Concurrent calls share one run.
  const attempt = (...args: Args) => {
    running.current ??= start(args);
    return running.current;
  };
  const press = async (...args: Args) => {
    if (running.current) return;
    const failure = await attempt(...args);
    if (failure) toast.danger(failure);
  };
  return { working, problem, setProblem, press, attempt };
}

/** Returns the `message` of a result, if any. */
export function messageOf(result: unknown): string | undefined {
  const { message } = Object(result) as { message?: unknown };
  return typeof message === "string" ? message : undefined;
}
