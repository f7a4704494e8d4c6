"use client";

import { useRef, useState } from "react";
import { type FormError, toFormError, useErrorText } from "@/components/api/form-error";
import { toast } from "@/components/ui/toast";

export interface ActionOptions<Args extends unknown[], Result> {
  /** The toast of a success: the server's message unless given; none when false. */
  success?: false | ((result: Result, ...args: Args) => string);
  /** What the page makes of the result, such as asking the server again. The button works until it is done. */
  onSuccess?: (result: Result, ...args: Args) => unknown;
  /** A text of the page's own for an error; without one the server's words. */
  explain?: (cause: unknown) => string | undefined;
  onError?: (error: FormError) => unknown;
}

export interface Action<Args extends unknown[]> {
  working: boolean;
  /** Why the last run failed, for pages that say it in place. */
  problem: string | undefined;
  setProblem: (problem: string | undefined) => void;
  /** For a button: a problem is told in a toast. */
  press: (...args: Args) => Promise<void>;
  /** For an `AlertDialog`, or a page that says problems in place: resolves to the problem, if there was one. */
  attempt: (...args: Args) => Promise<string | undefined>;
}

/**
 * What a button does: runs once at a time, tells how it ended, and knows whether it is still at it. A run that resolves
 * to undefined was given up by the person, as at a proof of identity, and nothing follows.
 */
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

  async function begin(args: Args): Promise<string | undefined> {
    setWorking(true);
    setProblem(undefined);
    const found = await perform(args);
    setProblem(found);
    setWorking(false);
    running.current = undefined;
    return found;
  }

  // A second press while it works joins the first.
  const attempt = (...args: Args) => {
    running.current ??= begin(args);
    return running.current;
  };
  const press = async (...args: Args) => {
    if (running.current) return;
    const found = await attempt(...args);
    if (found) toast.danger(found);
  };
  return { working, problem, setProblem, press, attempt };
}

/** The server's message in a result that has one. */
export function messageOf(result: unknown): string | undefined {
  const { message } = Object(result) as { message?: unknown };
  return typeof message === "string" ? message : undefined;
}
